import { asId, type TenantId, type UserId } from '@tempera/core';
import { issueAccessToken, KeyRing, newKeySet, verificationKeys } from '@tempera/platform';
import type { Request } from 'express';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TokenVerifier } from '../../apps/api/src/auth/token-verifier.js';
import { keyForToken } from '../../apps/api/src/auth/verify-header.js';
import { reportAttack } from '../support/attack-report.js';

const ATTEMPTS = process.env['TEMPERA_FULL'] === '1' ? 100_000 : 10_000;
const ISSUER = 'http://api.test';
const AUDIENCE = 'http://api.test/graphql';

const keys = newKeySet();
const publicKeys = verificationKeys(keys);
const settings = { tokenIssuer: ISSUER, tokenAudience: AUDIENCE } as ConstructorParameters<typeof TokenVerifier>[0];
const verifier = new TokenVerifier(settings, new KeyRing(keys), { now: () => new Date() });
let token = '';

beforeAll(async () => {
  const subject = {
    tenantId: asId<TenantId>(randomUUID()),
    userId: asId<UserId>(randomUUID()),
    sessionId: randomUUID(),
    generation: 0,
  };
  token = (await issueAccessToken({ issuer: ISSUER, audience: AUDIENCE, keys }, subject, randomUUID(), new Date()))
    .token;
});

const requestWith = (bearer: string): Request => ({ headers: { authorization: `Bearer ${bearer}` } }) as Request;

/** Flips one bit of one part's bytes, so that the result is well-formed base64url: most reach the signature. */
const flipByte = (part: number, at: number, bit: number): string => {
  const parts = token.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  parts[part] = bytes.toString('base64url');
  return parts.join('.');
};

/** Flips one bit of the text itself, as a broken proxy or a guessing attacker would. */
const flipCharacter = (at: number, bit: number): string => {
  const bytes = Buffer.from(token, 'latin1');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return bytes.toString('latin1');
};

const mutation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ part: fc.constant(2), at: fc.nat(63), bit: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ part: fc.constant(1), at: fc.nat(399), bit: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ part: fc.constant(0), at: fc.nat(99), bit: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ part: fc.constant(-1), at: fc.nat(999), bit: fc.nat(7) }) },
);

describe('attack 2.3: mutated tokens', () => {
  it('accepts the token they are made from', async () => {
    expect((await verifier.verify(requestWith(token)))?.kind).toBe('person');
  });

  it(`accepts none of ${ATTEMPTS} that reached the verifier`, async () => {
    let [reached, reachedSignature, accepted] = [0, 0, 0];
    // More are drawn than are wanted, since a few draws give back the token itself.
    for (const { part, at, bit } of fc.sample(mutation, { numRuns: ATTEMPTS + 1_000, seed: 20_261_130 })) {
      const mutant = part < 0 ? flipCharacter(at, bit) : flipByte(part, at, bit);
      if (mutant === token || mutant.trim() !== mutant || /\s/.test(mutant)) continue;
      reached += 1;
      if (keyForToken(mutant, publicKeys) !== null) reachedSignature += 1;
      if ((await verifier.verify(requestWith(mutant))) !== null) accepted += 1;
    }
    reportAttack('2.3', reached, { accepted }, `${reachedSignature} of them up to the signature`);
    expect(reached).toBeGreaterThanOrEqual(ATTEMPTS);
    expect(reachedSignature).toBeGreaterThanOrEqual(ATTEMPTS / 2);
    expect(accepted).toBe(0);
  });
});
