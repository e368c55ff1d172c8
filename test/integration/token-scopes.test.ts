import { currentSigningKey } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_RULES } from '../../apps/api/src/auth/operation-rules.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, GraphQLClient, machineOf, RefusedError } from '../support/graphql-client.js';
import { OPERATORS, PUBLIC } from '../support/open-operations.js';
import { type Operation, operations, readSchema } from '../support/schema-walk.js';
import { decodeToken, signedWith } from './token-zoo.js';

/** The scope that a machine needs for each operation of people; `none`: no scope helps. */
const NEEDED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OPERATION_RULES)
    .filter(([name]) => !PUBLIC.includes(name) && !OPERATORS.includes(name))
    .map(([name, { machines }]) => [name, machines]),
);
const SCOPES = ['read', 'write', 'admin'] as const;

const all = operations(readSchema()).filter(({ name }) => !PUBLIC.includes(name));
let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());

const outcome = async (client: GraphQLClient, { document, variables }: Operation): Promise<string> => {
  try {
    await client.send(document, { ...variables });
    return 'through';
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const isRefused = ['insufficient_scope', 'login-needed', 'not-logged-in'].includes(error.reason);
    return isRefused ? 'refused' : 'through';
  }
};

describe('attack 2.16: a machine does what its scopes name', () => {
  it('is written down for every operation of people', () => {
    const known = [...Object.keys(NEEDED), ...OPERATORS].sort();
    expect(all.map(({ name }) => name).sort()).toEqual(known);
  });

  it('holds for every operation and every scope alone', async () => {
    let attempts = 0;
    for (const scope of SCOPES) {
      const machine = await machineOf(owner, [scope.toUpperCase()]);
      for (const operation of all) {
        const needed = NEEDED[operation.name];
        const expected = needed === scope ? 'through' : 'refused';
        expect({ scope, name: operation.name, outcome: await outcome(machine, operation) }).toEqual({
          scope,
          name: operation.name,
          outcome: expected,
        });
        attempts += expected === 'refused' ? 1 : 0;
      }
    }
    reportAttack('2.16', attempts, { accepted: 0 }, 'scopes');
  });

  it('refuses a reader that writes as FORBIDDEN, insufficient_scope, and keeps nothing', async () => {
    const machine = await machineOf(owner, ['READ']);
    const refused = await machine.refused('mutation { capture(input: { text: "smuggled" }) { status } }');
    expect({ code: refused.code, reason: refused.reason }).toEqual({ code: 'FORBIDDEN', reason: 'insufficient_scope' });
    const kept = await asSuperuser(api.database.adminUrl, (client) =>
      client.query(`select 1 from memory where text = 'smuggled'`),
    );
    expect(kept.rows).toEqual([]);
  });

  it('reads the scopes from the database: what is narrowed there is narrowed for tokens that are out', async () => {
    let now = new Date();
    const timed = await startTestApi({ now: () => now });
    const person = await createTenant(await timed.operator(), 'Timed');
    const machine = await machineOf(person, ['READ', 'WRITE']);
    const CAPTURE = 'mutation { capture(input: { text: "kept" }) { status } }';
    await machine.send(CAPTURE);
    await asSuperuser(timed.database.adminUrl, (client) => client.query(`update access_token set scopes = '{read}'`));
    now = new Date(now.getTime() + 5_001);
    expect((await machine.refused(CAPTURE)).reason).toBe('insufficient_scope');
    await machine.send('{ me { user { id } } }');
    await timed.close();
  });
});

describe('attack 2.16: a token for one audience', () => {
  it('opens nothing of another, however well it is signed', async () => {
    const person = decodeToken((await owner.token()) ?? '');
    const operator = decodeToken((await (await api.operator()).token()) ?? '');
    const key = currentSigningKey(api.keys);
    const { tokenAudience, publicUrl } = api.settings;
    const others = [
      publicUrl,
      `${publicUrl}/mcp`,
      `${tokenAudience}/mcp`,
      `${tokenAudience}/`,
      `${tokenAudience}/operator`,
    ];
    const tokens = [
      ...others.map((aud) => signedWith(key, person.header, { ...person.claims, aud })),
      ...others.slice(0, -1).map((aud) => signedWith(key, operator.header, { ...operator.claims, aud })),
      signedWith(key, operator.header, { ...operator.claims, aud: tokenAudience }),
    ];
    for (const token of tokens) {
      const client = new GraphQLClient(api.url, () => Promise.resolve(token));
      for (const document of ['{ me { user { id } } }', '{ instanceHealth { __typename } }']) {
        expect((await client.refused(document)).code).toBe('UNAUTHENTICATED');
      }
    }
    reportAttack('2.16', 2 * tokens.length, { accepted: 0 }, 'audiences');
  });
});

describe('issueToken', () => {
  const ISSUE = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { token { scopes } } }';

  it('gives read and write unless told otherwise, and each scope once', async () => {
    const scopesOf = async (input: object): Promise<unknown> => {
      const { issueToken } = await owner.send<{ issueToken: { token: unknown } }>(ISSUE, { input });
      return issueToken.token;
    };
    expect(await scopesOf({ name: 'x' })).toEqual({ scopes: ['READ', 'WRITE'] });
    expect(await scopesOf({ name: 'x', scopes: ['ADMIN', 'ADMIN'] })).toEqual({ scopes: ['ADMIN'] });
  });

  it('refuses a token without any scope, and scopes that are none', async () => {
    expect(await owner.refused(ISSUE, { input: { name: 'x', scopes: [] } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'scopes',
    });
    expect((await owner.refused(ISSUE, { input: { name: 'x', scopes: ['ROOT'] } })).code).toBe('BAD_USER_INPUT');
  });
});
