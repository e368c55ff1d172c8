import { currentSigningKey, type KeySet } from '@tempera/platform';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { StrategyOptionsWithoutRequest } from 'passport-jwt';
import type { AuthAttackName } from './auth-attacks.js';

type Header = Record<string, unknown>;

/** What a slip in the check of tokens may change; everything else stays as it is written. */
export interface BrokenCheck {
  readonly strategy?: (options: StrategyOptionsWithoutRequest) => StrategyOptionsWithoutRequest;
  /** Changes the header that `keyForToken` looks at, so that one of its checks passes whatever the token says. */
  readonly header?: (header: Header, keys: ReadonlyMap<string, string>) => Header;
  readonly key?: (header: Header, found: string | null, keys: KeySet) => string | null;
  readonly claims?: (payload: Record<string, unknown>) => Record<string, unknown>;
}

/** A piece of a function's text in the database, perhaps a second one, and what stands there instead. */
export interface BrokenFunction {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly also?: string;
}

/** A way in which sign-in could be broken by one slip, and the attacks of which at least one must notice. */
export interface AuthMutant {
  readonly name: string;
  readonly check?: BrokenCheck;
  /** Where two checks stand behind one another, both have to slip: neither alone changes what anybody gets. */
  readonly sql?: readonly BrokenFunction[];
  /** A method that says something else; by its class's name. */
  readonly code?: 'session-believed' | 'session-kept' | 'scopes-dropped' | 'person-as-operator' | 'guard-open';
  readonly noticedBy: readonly AuthAttackName[];
}

const without = <T extends object>(object: T, name: keyof T): T => {
  const copy = { ...object };
  delete copy[name];
  return copy;
};

const pemOf = (jwk: unknown): string | null => {
  if (typeof jwk !== 'object' || jwk === null) return null;
  return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
};

/** The public key as one who mixes up algorithms would hand it out: as bytes to sign with. */
const asSecret = (keys: KeySet): string => {
  const { kty, crv, x, y } = currentSigningKey(keys);
  return JSON.stringify({ kty, crv, x, y });
};

const now = (): number => Math.floor(Date.now() / 1000);

const checks: readonly AuthMutant[] = [
  { name: 'the issuer is not checked', check: { strategy: (o) => without(o, 'issuer') }, noticedBy: ['tokens'] },
  { name: 'the audience is not checked', check: { strategy: (o) => without(o, 'audience') }, noticedBy: ['tokens'] },
  {
    name: 'the end of a token is not checked',
    check: { strategy: (o) => ({ ...o, ignoreExpiration: true, jsonWebTokenOptions: {} }) },
    noticedBy: ['tokens'],
  },
  {
    name: 'the token chooses its algorithm',
    check: {
      strategy: (o) => ({ ...o, algorithms: ['ES256', 'HS256'] }),
      header: (header) => ({ ...header, alg: 'ES256' }),
      key: (header, found, keys) => (header['alg'] === 'HS256' ? asSecret(keys) : found),
    },
    noticedBy: ['tokens'],
  },
  {
    name: 'an unknown key id means the current key',
    check: {
      header: (header, keys) => {
        const kid = header['kid'];
        return typeof kid === 'string' && keys.has(kid) ? header : { ...header, kid: [...keys.keys()][0] };
      },
    },
    noticedBy: ['tokens'],
  },
  {
    name: 'the type is not checked',
    check: { header: (header) => ({ ...header, typ: 'at+jwt' }) },
    noticedBy: ['tokens'],
  },
  {
    name: 'a key that a token brings along is taken',
    check: { header: (header) => without(header, 'jwk'), key: ({ jwk }, found) => pemOf(jwk) ?? found },
    noticedBy: ['tokens'],
  },
  {
    name: 'what must be understood is passed over',
    check: { header: (header) => without(without(header, 'crit'), 'b64') },
    noticedBy: ['tokens'],
  },
  {
    name: 'a token may live for years',
    check: { claims: (payload) => ({ ...payload, exp: Math.min(Number(payload['exp']), now() + 600) }) },
    noticedBy: ['tokens'],
  },
];

/** The database's own answer to who asks, behind the check of the session. */
const anybody: BrokenFunction = { name: 'uid', from: `and u.status = 'active' and t.status = 'active'`, to: '' };
const anyTenant: BrokenFunction = { name: 'current_tenant', from: `and t.status = 'active'`, to: '' };

const database: readonly AuthMutant[] = [
  {
    name: 'a session that was ended counts',
    sql: [{ name: 'check_session', from: 'and s.revoked_at is null and s.expires_at > now()', to: '' }],
    noticedBy: ['ended'],
  },
  {
    name: 'somebody removed counts',
    sql: [{ name: 'check_session', from: `and u.status = 'active'`, to: '' }, anybody],
    noticedBy: ['ended'],
  },
  {
    name: 'a suspended tenant counts',
    sql: [{ name: 'check_session', from: `and t.status = 'active'`, to: '' }, anybody, anyTenant],
    noticedBy: ['ended'],
  },
  {
    name: 'a generation that was never issued counts',
    sql: [{ name: 'check_session', from: 'p_generation between 0 and s.generation', to: 'p_generation >= 0' }],
    noticedBy: ['tokens'],
  },
  {
    name: 'a refresh token used again ends nothing',
    sql: [{ name: 'rotate_refresh', from: `set revoked_at = now(), revoked_reason`, to: 'set revoked_reason' }],
    noticedBy: ['reuse'],
  },
  {
    name: 'a revoked machine’s token still buys',
    // Its session is ended with it, so both would have to be forgotten.
    sql: [{ name: 'find_pat', from: 'a.revoked_at is null', to: 'true', also: 's.revoked_at is null' }],
    noticedBy: ['ended'],
  },
  {
    name: 'a code works twice',
    sql: [{ name: 'redeem_code', from: 'i.used_at is null', to: 'true' }],
    noticedBy: ['codes'],
  },
  {
    name: 'an old code works',
    sql: [{ name: 'redeem_code', from: 'i.expires_at > now()', to: 'true' }],
    noticedBy: ['codes'],
  },
  {
    name: 'a role is believed, not looked up',
    sql: [{ name: 'my_tenant_role', from: 'select u.role from', to: `select 'owner'::text from` }],
    noticedBy: ['roles'],
  },
];

const code: readonly AuthMutant[] = [
  { name: 'the session is not asked about', code: 'session-believed', noticedBy: ['tokens', 'ended'] },
  { name: 'what was said of a session is kept for ever', code: 'session-kept', noticedBy: ['ended'] },
  { name: 'scopes are not looked at', code: 'scopes-dropped', noticedBy: ['scopes'] },
  { name: 'a person’s token does for an operator’s', code: 'person-as-operator', noticedBy: ['closed'] },
  { name: 'the guard lets everyone pass', code: 'guard-open', noticedBy: ['closed', 'scopes'] },
];

/** At least thirteen slips (docs/design.md, attack 1.13). */
export const authMutants: readonly AuthMutant[] = [...checks, ...database, ...code];
