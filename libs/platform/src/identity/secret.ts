import { createHash, createHmac, randomBytes } from 'node:crypto';

/** What a secret is for; its prefix lets people and secret scanners tell one from another. */
export type SecretKind = 'refresh' | 'invitation' | 'login' | 'operator' | 'device' | 'browser';

const PREFIXES: Readonly<Record<SecretKind, string>> = {
  refresh: 'tmem_rt_',
  invitation: 'tmem_inv_',
  login: 'tmem_login_',
  operator: 'tmem_op_',
  device: 'tmem_dev_',
  browser: 'tmem_web_',
};

/** Gives that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/** 256 bits, which no one guesses; shown once, then only its hash is kept. */
export const newSecret = (kind: SecretKind, random: RandomBytes = randomBytes): string =>
  PREFIXES[kind] + Buffer.from(random(32)).toString('base64url');

/** SHA-256, enough for secrets of 256 random bits: there is no dictionary to slow down. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(secret, 'utf8').digest());

/**
 * The one child of a refresh token: the same parent gives the same child however often it is asked, so a lost reply is
 * answered again, and only hashes need to be stored.
 * @param key the symmetric key that the parent's row names, base64url
 */
export const childSecret = (parent: string, key: string): string =>
  PREFIXES.refresh +
  createHmac('sha256', Buffer.from(key, 'base64url')).update(`refresh:${parent}`).digest('base64url');
