import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tmem_pat_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORM = /^tmem_pat_[0-9A-Za-z]{36}$/;

const checkDigits = (random: string): string => {
  let rest = crc32(random);
  let digits = '';
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

/**
 * A personal access token in GitHub's format: prefix, 30 random characters of 62 (178 bits), 6 of CRC32, so that a
 * mistyped one, or what a secret scanner finds, is told from a real one without asking the database.
 * @param pick a random integer from 0 up to and without its argument
 */
export const newPersonalToken = (pick: (below: number) => number = randomInt): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(pick(ALPHABET.length))).join('');
  return PREFIX + random + checkDigits(random);
};

/** Whether the text has the form and the check digits of a personal access token. */
export const isPersonalToken = (text: string): boolean =>
  FORM.test(text) && checkDigits(text.slice(PREFIX.length, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);

/** What a list may show of a token: enough to recognise it, useless to whoever reads it. */
export const personalTokenPrefix = (token: string): string => token.slice(0, PREFIX.length + 4);
