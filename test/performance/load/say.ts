/** A part that is done, on stderr: a run of half an hour that is cut short has said something. */
export const say = (what: string, result: object): void =>
  void process.stderr.write(`${what}: ${JSON.stringify(result)}\n`);
