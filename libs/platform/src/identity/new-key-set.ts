import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type HmacKey, type KeySet, keySetSchema, type SigningKey } from './key-set.js';

const keyId = (): string => randomBytes(9).toString('base64url');

/** A fresh ES256 key. @param now when it got its state */
export const newSigningKey = (state: SigningKey['state'], now: Date): SigningKey => {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return { kty, crv, x, y, d, alg: 'ES256', use: 'sig', kid: keyId(), state, since: now.toISOString() } as SigningKey;
};

/** A fresh symmetric key. @param now when it got its state */
export const newHmacKey = (state: HmacKey['state'], now: Date): HmacKey => ({
  kty: 'oct',
  alg: 'HS256',
  use: 'derive',
  kid: keyId(),
  state,
  since: now.toISOString(),
  k: randomBytes(32).toString('base64url'),
});

/** Fresh keys: a current and a next signing key (published before it signs), and one symmetric key. */
export const newKeySet = (now: Date = new Date()): KeySet =>
  keySetSchema.parse({
    keys: [newSigningKey('current', now), newSigningKey('next', now), newHmacKey('current', now)],
  });
