import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';

let api: TestApi;
let operator: GraphQLClient;

beforeAll(async () => {
  // A clock that stands still: what the API believes of a session stays believed.
  const now = new Date();
  api = await startTestApi({ now: () => now });
  operator = await api.operator();
});
afterAll(() => api.close());

const bySuperuser = (sql: string, values: readonly unknown[]): Promise<unknown> =>
  asSuperuser(api.database.adminUrl, (client) => client.query(sql, [...values]));

const idsOf = async (owner: GraphQLClient): Promise<{ tenantId: string; userId: string }> => {
  const { me } = await owner.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
    '{ me { user { id } tenant { id } } }',
  );
  return { tenantId: me.tenant.id, userId: me.user.id };
};

const OPERATIONS: readonly [string, string][] = [
  ['retrieve', 'mutation { retrieve(input: { query: "why?" }) { hits { place } } }'],
  ['capture', 'mutation { capture(input: { text: "a fact", scope: PRIVATE }) { status } }'],
  ['logout', 'mutation { logout { sessionsEnded } }'],
  ['issueToken', 'mutation { issueToken(input: { name: "ci" }) { secret } }'],
  ['createProject', 'mutation { createProject(input: { slug: "web", name: "Web" }) { id } }'],
  ['runMaintenance', 'mutation { runMaintenance(input: {}) { id } }'],
  ['me', '{ me { user { id } } }'],
  ['usage', '{ usage { quota { memories } } }'],
];

describe('within the five seconds that a session is believed', () => {
  it.each(OPERATIONS)('a suspended tenant is told to log in: %s', async (_name, operation) => {
    const owner = await createTenant(operator, 'Acme');
    const { tenantId } = await idsOf(owner);
    await bySuperuser(`update tenant set status = 'suspended' where id = $1`, [tenantId]);
    expect((await owner.refused(operation)).code).toBe('UNAUTHENTICATED');
  });

  it.each(OPERATIONS)('a removed person is told to log in: %s', async (_name, operation) => {
    const owner = await createTenant(operator, 'Acme');
    const { tenantId, userId } = await idsOf(owner);
    await bySuperuser('alter table app_user disable trigger keep_an_owner', []);
    await bySuperuser(`update app_user set status = 'removed' where tenant_id = $1 and id = $2`, [tenantId, userId]);
    await bySuperuser('alter table app_user enable trigger keep_an_owner', []);
    expect((await owner.refused(operation)).code).toBe('UNAUTHENTICATED');
  });
});

describe('a machine that logs out', () => {
  it('ends its token for good, and the list says so', async () => {
    const owner = await createTenant(operator, 'Acme');
    const { issueToken } = await owner.send<{ issueToken: { secret: string; token: { id: string } } }>(
      'mutation { issueToken(input: { name: "ci" }) { secret token { id } } }',
    );
    const { tenantId } = await idsOf(owner);
    // As every way that ends a session does, whichever is asked.
    await bySuperuser(
      `update login_session s set revoked_at = now(), revoked_reason = 'logged out' from access_token a
       where a.tenant_id = $1 and a.id = $2 and s.tenant_id = a.tenant_id and s.id = a.session_id`,
      [tenantId, issueToken.token.id],
    );
    const { tokens } = await owner.send<{ tokens: { nodes: { id: string; revokedAt: string | null }[] } }>(
      '{ tokens(first: 10) { nodes { id revokedAt } } }',
    );
    expect(tokens.nodes.find(({ id }) => id === issueToken.token.id)?.revokedAt).not.toBeNull();
    const exchange = 'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }';
    expect((await owner.refused(exchange, { token: issueToken.secret })).code).toBe('UNAUTHENTICATED');
  });
});
