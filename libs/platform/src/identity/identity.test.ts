import { asId, type TenantId, type UserId } from '@tempera/core';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueAccessToken, issueOperatorToken } from './access-token.js';
import { currentSigningKey, keySetSchema, publicJwks } from './key-set.js';
import { newKeySet } from './new-key-set.js';
import { isPersonalToken, newPersonalToken, personalTokenPrefix } from './personal-token.js';
import { childSecret, hashSecret, newSecret } from './secret.js';

const now = new Date('2026-11-30T03:00:00Z');
const options = { issuer: 'http://api.test', audience: 'http://api.test/graphql', keys: newKeySet() };

describe('access tokens', () => {
  it('hold identity and no role, and live ten minutes', async () => {
    const subject = {
      tenantId: asId<TenantId>(randomUUID()),
      userId: asId<UserId>(randomUUID()),
      sessionId: randomUUID(),
      generation: 3,
    };
    const { token, expiresAt } = await issueAccessToken(options, subject, randomUUID(), now);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: currentSigningKey(options.keys).kid,
    });
    const claims = decodeJwt(token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'gen', 'iat', 'iss', 'jti', 'sid', 'sub', 'tid']);
    expect(expiresAt.getTime() - now.getTime()).toBe(600_000);
    const [jwk] = publicJwks(options.keys).keys;
    await jwtVerify(token, await importJWK(jwk ?? {}, 'ES256'), { audience: options.audience, currentDate: now });
  });

  it('have another audience for operators', async () => {
    const { token } = await issueOperatorToken(options, randomUUID(), randomUUID(), now);
    expect(decodeJwt(token).aud).toBe('http://api.test/graphql/operator');
  });
});

describe('keys', () => {
  it('are published without their private halves', () => {
    const text = JSON.stringify(publicJwks(options.keys));
    expect(text).not.toContain('"d"');
    expect(text).not.toContain('"k"');
    expect(publicJwks(options.keys).keys).toHaveLength(2);
  });

  it('are refused as a set without a current key, or with one id twice', () => {
    const { keys } = newKeySet();
    expect(keySetSchema.safeParse({ keys: keys.filter(({ state }) => state !== 'current') }).success).toBe(false);
    expect(keySetSchema.safeParse({ keys: [...keys, { ...keys[1], state: 'previous' }] }).success).toBe(false);
    expect(keySetSchema.safeParse({ keys }).success).toBe(true);
  });
});

describe('secrets', () => {
  it('have 256 bits and a prefix that says what they are', () => {
    expect(newSecret('invitation')).toMatch(/^tmem_inv_[A-Za-z0-9_-]{43}$/);
    expect(newSecret('refresh')).not.toBe(newSecret('refresh'));
  });

  it('of a refresh family derive one child each, by the key', () => {
    const parent = newSecret('refresh');
    const key = Buffer.alloc(32, 1).toString('base64url');
    expect(childSecret(parent, key)).toBe(childSecret(parent, key));
    expect(childSecret(parent, key)).not.toBe(childSecret(parent, Buffer.alloc(32, 2).toString('base64url')));
    expect(childSecret(childSecret(parent, key), key)).not.toBe(parent);
  });

  it('are kept as SHA-256', () => {
    expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('personal access tokens', () => {
  it('carry check digits that tell a mistyped one', () => {
    for (let round = 0; round < 200; round += 1) {
      const token = newPersonalToken();
      expect(isPersonalToken(token)).toBe(true);
      const at = 9 + (round % 36);
      const wrong = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
      expect(isPersonalToken(wrong)).toBe(false);
    }
    for (const text of ['', 'tmem_pat_', newSecret('refresh'), `${newPersonalToken()}x`]) {
      expect(isPersonalToken(text)).toBe(false);
    }
  });

  it('show so little of themselves in a list that nobody can use it', () => {
    expect(personalTokenPrefix(newPersonalToken())).toHaveLength(13);
  });
});
