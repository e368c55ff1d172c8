import { AppError } from '@tempera/client-kit';
import { derivedKey, derivedKeys, type KeySet, type ProviderIdentity } from '@tempera/platform';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const LIFE_MS = 5 * 60_000;
const PURPOSE = 'tenant choice';

const proofShape = z.object({ issuer: z.string(), subject: z.string(), until: z.number() });

const tagOf = (key: Uint8Array, payload: string, flowSecret: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([payload, flowSecret]))
    .digest();

/** Between the provider's answer and the choice of a tenant: who it was, for this browser and a few minutes alone. */
export const proofOf = (set: KeySet, identity: ProviderIdentity, flowSecret: string, now: Date): string => {
  const { issuer, subject } = identity;
  const payload = Buffer.from(JSON.stringify({ issuer, subject, until: now.getTime() + LIFE_MS })).toString(
    'base64url',
  );
  return `${payload}.${tagOf(derivedKey(set, PURPOSE), payload, flowSecret).toString('base64url')}`;
};

/** @throws AppError `unauthenticated` for a proof of another browser, too old, or none of ours */
export const readProof = (set: KeySet, proof: string, flowSecret: string, now: Date): ProviderIdentity => {
  const [payload = '', tag = ''] = proof.slice(0, 4_096).split('.');
  const given = Buffer.from(tag, 'base64url');
  const isOurs = derivedKeys(set, PURPOSE).some((key) => {
    const expected = tagOf(key, payload, flowSecret);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (isOurs) {
    const { issuer, subject, until } = proofShape.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    if (until > now.getTime()) return { issuer, subject };
  }
  throw new AppError('unauthenticated', 'choice-over', 'This choice took too long; start again.');
};
