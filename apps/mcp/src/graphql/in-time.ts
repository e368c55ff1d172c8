/** How long one request may take, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Gives work with a service so long and no longer. Its timer keeps the process: a connection can be lost so that nothing is told of it, and
 * a process that waits for nothing else would end in the middle, without a word.
 * @throws DOMException `TimeoutError`
 */
export const inTime = <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const controller = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new DOMException('No answer in time.', 'TimeoutError');
      controller.abort(late);
      reject(late);
    }, REQUEST_TIMEOUT_MS);
    void work(controller.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
};
