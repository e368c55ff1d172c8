import type { JWK } from 'jose';
import { z } from 'zod';

const base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const state = z.enum(['current', 'next', 'previous']);
/** When the key got its state; files from before this was written down have none. */
const since = z.iso.datetime().optional();

/**
 * A JWK set with two more members a key: `state` and `since`. Tokens are signed with the current key and accepted from all three, so
 * that a rotation refuses nobody; the symmetric keys derive refresh tokens and sign cursors.
 */
const signingKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  kid: z.string().min(8).max(64),
  state,
  since,
  x: base64Url,
  y: base64Url,
  d: base64Url,
});
const hmacKey = z.object({
  kty: z.literal('oct'),
  alg: z.literal('HS256'),
  use: z.literal('derive'),
  kid: z.string().min(8).max(64),
  state,
  since,
  k: base64Url.min(43),
});
const oneCurrent = (keys: readonly { readonly kty: string; readonly state: string }[]): boolean =>
  ['EC', 'oct'].every((kty) => keys.filter((key) => key.kty === kty && key.state === 'current').length === 1);
const oneNextAtMost = (keys: readonly { readonly kty: string; readonly state: string }[]): boolean =>
  ['EC', 'oct'].every((kty) => keys.filter((key) => key.kty === kty && key.state === 'next').length <= 1);

/** What a keys file holds. */
export const keySetSchema = z.object({
  keys: z
    .array(z.discriminatedUnion('kty', [signingKey, hmacKey]))
    .max(16)
    .refine(oneCurrent, 'exactly one current key of each sort is needed')
    .refine(oneNextAtMost, 'there is more than one next key of a sort')
    .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'key ids repeat'),
});

export type SigningKey = z.infer<typeof signingKey>;
export type HmacKey = z.infer<typeof hmacKey>;
export type KeySet = z.infer<typeof keySetSchema>;

export const signingKeysOf = ({ keys }: KeySet): SigningKey[] => keys.filter((key) => key.kty === 'EC');
export const hmacKeysOf = ({ keys }: KeySet): HmacKey[] => keys.filter((key) => key.kty === 'oct');

const currentOf = <T extends { readonly state: string }>(keys: readonly T[]): T => {
  const current = keys.find((key) => key.state === 'current');
  if (current === undefined) throw new Error('The key set has no current key.');
  return current;
};

export const currentSigningKey = (set: KeySet): SigningKey => currentOf(signingKeysOf(set));
export const currentHmacKey = (set: KeySet): HmacKey => currentOf(hmacKeysOf(set));

/** What the world may see: the public half of every signing key, and nothing of the symmetric ones. */
export const publicJwks = (set: KeySet): { keys: JWK[] } => ({
  keys: signingKeysOf(set).map(({ kty, crv, alg, use, kid, x, y }) => ({ kty, crv, alg, use, kid, x, y })),
});
