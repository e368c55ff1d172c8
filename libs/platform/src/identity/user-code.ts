import { createHmac, randomInt } from 'node:crypto';

/** Letters that are no vowels and not easily mistaken for another (RFC 8628, 6.1): eight of them are 34.5 bits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/**
 * A code that a person carries from a device to a browser, as `BCDF-GHJK`.
 * @param pick a random integer from 0 up to and without its argument
 */
export const newUserCode = (pick: (below: number) => number = randomInt): string =>
  showUserCode(Array.from({ length: LENGTH }, () => ALPHABET.charAt(pick(ALPHABET.length))).join(''));

/** The eight letters of a code as it was typed, with whatever case, blanks and dashes; null when it cannot be one. */
export const readUserCode = (typed: string): string | null => {
  const letters = typed.slice(0, 50).replaceAll(/[\s-]/g, '').toUpperCase();
  return FORM.test(letters) ? letters : null;
};

/** `BCDF-GHJK`, for people to read. */
export const showUserCode = (letters: string): string => `${letters.slice(0, 4)}-${letters.slice(4)}`;

/** Keyed, because whoever reads the table could try all codes of so few letters. */
export const hashUserCode = (key: Uint8Array, letters: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHmac('sha256', key).update(letters, 'utf8').digest());
