// One file out of a tar archive (npm's packages are such), so that no `tar` has to be there.
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;

const textAt = (header, from, length) =>
  header
    .subarray(from, from + length)
    .toString('utf8')
    .split('\0', 1)[0];

/**
 * @param {Buffer} packed a .tar.gz
 * @param {string} name the file's path in it
 * @returns {Buffer}
 * @throws when the file is not there
 */
export const fileFromTar = (packed, name) => {
  const bytes = gunzipSync(packed);
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (Number.isNaN(size)) break;
    if (textAt(header, 0, 100) === name) return bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the archive does not hold ${name}`);
};
