// A secret of this instance, made on the first start and kept in a file only its owner can read.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The secret in `file`, made if it is not there: 256 bits, in letters a URL can carry. */
export const readOrMakeSecret = (file) => {
  if (existsSync(file)) {
    chmodSync(file, 0o600);
    return readFileSync(file, 'utf8').trim();
  }
  const secret = randomBytes(32).toString('base64url');
  // `wx`: never overwrite what a start beside this one has just made.
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
};
