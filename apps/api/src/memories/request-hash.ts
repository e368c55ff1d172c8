import { createHash } from 'node:crypto';

/** Digest of what was asked. Names are sorted, so that it does not depend on how a client writes its request. */
export const hashOf = (input: object): Uint8Array => {
  const said = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const sorted = said.sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
};
