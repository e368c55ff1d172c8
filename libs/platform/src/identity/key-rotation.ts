import { AppError } from '@tempera/client-kit';
import type { KeySet } from './key-set.js';
import { keySetSchema } from './key-set.js';
import { newHmacKey, newSigningKey } from './new-key-set.js';

/** `signing`: access tokens. `hmac`: refresh tokens and cursors derive from it. */
export type KeyKind = 'signing' | 'hmac';
type Key = KeySet['keys'][number];

const HOUR_MS = 3_600_000;
/** A key is published so long before it signs, that everybody who verifies has seen it. */
export const PUBLISH_MS = 24 * HOUR_MS;
/**
 * How long a key is kept after the next took its place: what it signed lives ten minutes and half a minute of clock skew;
 * refresh tokens name the key that derives their child, and live thirty days unused.
 */
export const KEEP_MS: Readonly<Record<KeyKind, number>> = { signing: HOUR_MS / 4, hmac: 31 * 24 * HOUR_MS };

/** How a step of a rotation is asked for. */
export interface RotationStep {
  readonly kind: KeyKind;
  readonly now: Date;
  /** Do it though it is too early: for keys that others may know. */
  readonly force: boolean;
  /** When a key without a date got its state, at the latest: it is of a file that was written then. */
  readonly writtenAt: Date;
}

const isOf =
  (kind: KeyKind) =>
  ({ kty }: Key): boolean =>
    kty === (kind === 'signing' ? 'EC' : 'oct');

const refuse = (code: string, message: string): AppError => new AppError('conflict', code, message);

const withKeys = (keys: readonly Key[]): KeySet => keySetSchema.parse({ keys });

const ageMs = ({ since }: Key, { now, writtenAt }: RotationStep): number =>
  now.getTime() - (since === undefined ? writtenAt : new Date(since)).getTime();

/** What is left of a time to wait, in words. */
const left = (ms: number): string => {
  const hours = ms / HOUR_MS;
  if (hours > 48) return `${Math.ceil(hours / 24)} days`;
  return hours > 1 ? `${Math.ceil(hours)} hours` : `${Math.ceil(ms / 60_000)} minutes`;
};

/** Adds a next key: published, accepted, not yet used. @throws AppError `conflict` when there is one */
export const stageKey = (set: KeySet, { kind, now }: RotationStep): KeySet => {
  if (set.keys.filter(isOf(kind)).some(({ state }) => state === 'next'))
    throw refuse('next-key-exists', `There is a next ${kind} key already; promote it.`);
  return withKeys([...set.keys, kind === 'signing' ? newSigningKey('next', now) : newHmacKey('next', now)]);
};

/**
 * The next key becomes the current one, and the current one is accepted as previous.
 * @throws AppError `conflict` when there is none, or it was published less than a day ago
 */
export const promoteKey = (set: KeySet, step: RotationStep): KeySet => {
  const ofKind = set.keys.filter(isOf(step.kind));
  const next = ofKind.find(({ state }) => state === 'next');
  if (next === undefined) throw refuse('no-next-key', `There is no next ${step.kind} key; stage one first.`);
  const early = PUBLISH_MS - ageMs(next, step);
  if (early > 0 && !step.force)
    throw refuse(
      'next-key-too-young',
      `The next ${step.kind} key must be known for ${left(early)} more; --force does it now.`,
    );
  const since = step.now.toISOString();
  return withKeys(
    set.keys.map((key) => {
      if (!ofKind.includes(key)) return key;
      if (key === next) return { ...key, state: 'current', since };
      return key.state === 'current' ? { ...key, state: 'previous', since } : key;
    }),
  );
};

/**
 * Drops the previous keys that nothing can carry any more.
 * @throws AppError `conflict` when there is none, or each may still be needed
 */
export const dropKeys = (set: KeySet, step: RotationStep): KeySet => {
  const previous = set.keys.filter(isOf(step.kind)).filter(({ state }) => state === 'previous');
  if (previous.length === 0) throw refuse('no-previous-key', `There is no previous ${step.kind} key.`);
  const needed = (key: Key): number => KEEP_MS[step.kind] - ageMs(key, step);
  const dropped = previous.filter((key) => step.force || needed(key) <= 0);
  if (dropped.length === 0) {
    const wait = left(Math.min(...previous.map(needed)));
    const what = step.kind === 'signing' ? 'tokens it signed live' : 'logins may rest on it';
    throw refuse(
      'previous-key-needed',
      `The previous ${step.kind} key is needed for ${wait} more, while ${what}; --force drops it now.`,
    );
  }
  return withKeys(set.keys.filter((key) => !dropped.includes(key)));
};
