import { hkdfSync } from 'node:crypto';
import { currentHmacKey, hmacKeysOf, type KeySet } from './key-set.js';

const derive = (hmacKey: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(hmacKey, 'base64url'), '', `tempera ${purpose}`, 32));

/** A key for one purpose, so that no other use of the symmetric key can stand in for it. Made of the current key. */
export const derivedKey = (set: KeySet, purpose: string): Uint8Array => derive(currentHmacKey(set).k, purpose);

/** The keys that something made for this purpose may still carry: of every symmetric key of the set, the current first. */
export const derivedKeys = (set: KeySet, purpose: string): Uint8Array[] => {
  const current = currentHmacKey(set);
  const others = hmacKeysOf(set).filter(({ kid }) => kid !== current.kid);
  return [current, ...others].map(({ k }) => derive(k, purpose));
};
