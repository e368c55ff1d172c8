import { asId, type TenantId, type UserId } from '@tempera/core';
import { KeyRing } from '@tempera/platform';
import type { StrategyOptionsWithoutRequest, VerifyCallback } from 'passport-jwt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AccessGuard } from '../../apps/api/src/auth/access.guard.js';
import type { Identified } from '../../apps/api/src/auth/caller.js';
import { RequestAuthenticator } from '../../apps/api/src/auth/request-authenticator.js';
import { SessionCheck } from '../../apps/api/src/auth/session-check.js';
import { ShortMemory } from '../../apps/api/src/auth/short-memory.js';
import { TokenVerifier } from '../../apps/api/src/auth/token-verifier.js';
import { startTestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant } from '../support/graphql-client.js';
import { authAttacks, type Scene } from './auth-attacks.js';
import { type AuthMutant, type BrokenFunction, authMutants, type BrokenCheck } from './auth-mutants.js';
import { decodeToken } from './token-zoo.js';

// These are no stand-ins: each hands through to what is written, and changes the one thing that a mutant names.
const broken = vi.hoisted((): { check: BrokenCheck } => ({ check: {} }));

vi.mock('passport-jwt', async (original) => {
  const real = await original<typeof import('passport-jwt')>();
  class Strategy extends real.Strategy {
    constructor(options: StrategyOptionsWithoutRequest, verify: VerifyCallback) {
      super(broken.check.strategy?.(options) ?? options, verify);
    }
  }
  return { ...real, Strategy };
});

vi.mock('../../apps/api/src/auth/verify-header.js', async (original) => {
  const real = await original<typeof import('../../apps/api/src/auth/verify-header.js')>();
  const keyForToken: typeof real.keyForToken = (token, keys) => {
    const { header, key } = broken.check;
    if (header === undefined && key === undefined) return real.keyForToken(token, keys);
    try {
      const said = decodeToken(token).header;
      const changed = Buffer.from(JSON.stringify(header?.(said, keys) ?? said)).toString('base64url');
      const found = real.keyForToken([changed, ...token.split('.').slice(1)].join('.'), keys);
      return key === undefined || found === null ? found : key(said, found, scene.api.keys);
    } catch {
      return null;
    }
  };
  return { ...real, keyForToken };
});

vi.mock('../../apps/api/src/auth/claims.js', async (original) => {
  const real = await original<typeof import('../../apps/api/src/auth/claims.js')>();
  const parseAccessClaims: typeof real.parseAccessClaims = (payload, now) =>
    real.parseAccessClaims(broken.check.claims?.(payload as Record<string, unknown>) ?? payload, now);
  return { ...real, parseAccessClaims };
});

let scene: Scene;
let aheadMs = 0;
const clock = { now: (): Date => new Date(Date.now() + aheadMs) };

beforeAll(async () => {
  const api = await startTestApi({ now: clock.now });
  scene = {
    api,
    owner: await createTenant(await api.operator(), 'Acme'),
    ahead: (ms) => {
      aheadMs = ms;
    },
  };
});
afterAll(() => scene.api.close());
afterEach(() => {
  vi.restoreAllMocks();
  broken.check = {};
  aheadMs = 0;
});

const breakCheck = (check: BrokenCheck): void => {
  broken.check = check;
  const { verify } = TokenVerifier.prototype;
  // Strategies are made with the verifier, so a broken one is made and asked instead.
  const mutant = new TokenVerifier(scene.api.settings, new KeyRing(scene.api.keys), clock);
  vi.spyOn(TokenVerifier.prototype, 'verify').mockImplementation((request) => verify.call(mutant, request));
};

const breakCode = (what: NonNullable<AuthMutant['code']>, operatorId: string): void => {
  const { caller } = SessionCheck.prototype;
  const { identify } = RequestAuthenticator.prototype;
  const kept = new Map<string, unknown>();
  const breaks: Readonly<Record<typeof what, () => void>> = {
    'session-believed': () =>
      vi
        .spyOn(SessionCheck.prototype, 'caller')
        .mockImplementation(({ tid, sub, sid }) =>
          Promise.resolve({ tenantId: asId<TenantId>(tid), userId: asId<UserId>(sub), sessionId: sid, scopes: null }),
        ),
    'session-kept': () =>
      vi.spyOn(ShortMemory.prototype, 'get').mockImplementation(async (key, askFor) => {
        if (!kept.has(key)) kept.set(key, await askFor());
        return kept.get(key);
      }),
    'scopes-dropped': () =>
      vi.spyOn(SessionCheck.prototype, 'caller').mockImplementation(async function (this: SessionCheck, claims) {
        const found = await caller.call(this, claims);
        return found === null ? null : { ...found, scopes: null };
      }),
    'person-as-operator': () =>
      vi.spyOn(RequestAuthenticator.prototype, 'identify').mockImplementation(async function (
        this: RequestAuthenticator,
        request,
      ): Promise<Identified> {
        const found = await identify.call(this, request);
        return found.caller === undefined ? found : { ...found, operator: { operatorId } };
      }),
    'guard-open': () => vi.spyOn(AccessGuard.prototype, 'canActivate').mockReturnValue(true),
  };
  breaks[what]();
};

/** The database asks who calls, too: a slip that lets people through as operators must take one's place. */
const anOperator = (): Promise<string> =>
  asSuperuser(scene.api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from operator where disabled_at is null limit 1');
    return rows[0]?.id ?? '';
  });

/** Runs `work` while functions of the database say something else. */
const withSql = async <T>([first, ...others]: readonly BrokenFunction[], work: () => Promise<T>): Promise<T> => {
  if (first === undefined) return work();
  const { name, from, to, also = from } = first;
  return asSuperuser(scene.api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      'select pg_get_functiondef(oid) as text from pg_proc where proname = $1',
      [name],
    );
    const text = rows[0]?.text ?? '';
    // Else the mutant would be no mutant, and its death would prove nothing.
    for (const piece of [from, also]) expect(text).toContain(piece);
    await client.query(text.replaceAll(from, to).replaceAll(also, to));
    try {
      return await withSql(others, work);
    } finally {
      await client.query(text);
    }
  });
};

const notice = async ({ noticedBy }: AuthMutant): Promise<string[]> => {
  const found: string[] = [];
  for (const name of noticedBy) {
    if (found.length === 0) found.push(...(await authAttacks[name](scene)));
  }
  return found;
};

describe('attack 1.13: mutants of sign-in', () => {
  let killed = 0;
  afterAll(() => {
    reportAttack('1.13', authMutants.length, { survivors: authMutants.length - killed }, 'sign-in');
  });

  it('none: nothing is found where nothing is broken', async () => {
    for (const attack of Object.values(authAttacks)) expect(await attack(scene)).toEqual([]);
  });

  for (const mutant of authMutants) {
    it(`killed: ${mutant.name}`, async () => {
      if (mutant.check !== undefined) breakCheck(mutant.check);
      if (mutant.code !== undefined) breakCode(mutant.code, await anOperator());
      const found = await withSql(mutant.sql ?? [], () => notice(mutant));
      expect(found).not.toEqual([]);
      expect(found).not.toContain('the good token is refused');
      killed += 1;
    });
  }
});
