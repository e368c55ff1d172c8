import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type HmacKey, hmacKeysOf, type KeySet, keySetSchema, type SigningKey, signingKeysOf } from './key-set.js';

const keyId = (): string => randomBytes(9).toString('base64url');

const newSigningKey = (state: SigningKey['state']): SigningKey => {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return { kty, crv, x, y, d, alg: 'ES256', use: 'sig', kid: keyId(), state } as SigningKey;
};

const newHmacKey = (state: HmacKey['state']): HmacKey => ({
  kty: 'oct',
  alg: 'HS256',
  use: 'derive',
  kid: keyId(),
  state,
  k: randomBytes(32).toString('base64url'),
});

/** Fresh keys: a current and a next signing key (published before it signs), and one symmetric key. */
export const newKeySet = (): KeySet =>
  keySetSchema.parse({ keys: [newSigningKey('current'), newSigningKey('next'), newHmacKey('current')] });

/**
 * The next set: next signs, current is still accepted, previous is dropped. Leave at least 24 hours between two
 * rotations, so that every verifier has seen a key before it signs. Symmetric keys stay: refresh rows name theirs.
 */
export const rotatedKeySet = (set: KeySet): KeySet => {
  const next = signingKeysOf(set).find(({ state }) => state === 'next') ?? newSigningKey('next');
  const current = signingKeysOf(set).filter(({ state }) => state === 'current');
  return keySetSchema.parse({
    keys: [
      { ...next, state: 'current' },
      newSigningKey('next'),
      ...current.map((key) => ({ ...key, state: 'previous' })),
      ...hmacKeysOf(set),
    ],
  });
};
