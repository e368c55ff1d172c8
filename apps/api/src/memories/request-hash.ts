import { createHash } from 'node:crypto';

/** Digest of what was asked. Names are sorted, so that it does not depend on how a client writes its request. */
export const hashOf = (input: object): Uint8Array => {
  const said = inNameOrder(input).filter(([, value]) => value !== null);
  return createHash('sha256').update(JSON.stringify(said)).digest();
};

/** What was said, nulls too, by name. Compared by name alone: GraphQL's objects cannot be turned into text for a sort. */
export const inNameOrder = (input: object): [string, unknown][] =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
