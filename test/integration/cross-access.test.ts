import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSchema } from 'graphql';
import { asSuperuser } from '../support/cluster.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { nobody, OPERATIONS, type Target } from './cross-access-operations.js';
import { createTenant, invite, type GraphQLClient } from '../support/graphql-client.js';
import { furnishScopes } from './scope-operations.js';

// Attack 1.3 at the level of GraphQL: every operation that takes something's name, with the names of others' things. What
// belongs to another tenant, to a project one is not in, or to a colleague alone must answer as what does not exist.

const FULL = process.env['TEMPERA_FULL'] === '1';
const TENANTS = FULL ? 20 : 3;
/** Beside the owner and the author. */
const INSIDERS = FULL ? 3 : 2;
/** Attackers at work at the same time. */
const WIDTH = 4;

interface Person {
  readonly client: GraphQLClient;
  readonly tenant: number;
  readonly isAdmin: boolean;
}

/** An answer without what is new in each: its request id, and the name that was asked for. */
const bare = (text: string, variables: Record<string, unknown>): string => {
  const names = JSON.stringify(variables).match(/[0-9a-f-]{36}|nothing-\w+|web-\d+|[0-9a-f]{8}/g) ?? [];
  return names
    .reduce((left, name) => left.replaceAll(name, 'NAME'), text)
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"…"');
};

describe('attack 1.3: by GraphQL', () => {
  let api: TestApi;
  const people: Person[] = [];
  const targets: Target[] = [];
  let attempts = 0;
  const leaks: string[] = [];

  const answerOf = async (by: Person, document: string, variables: Record<string, unknown>): Promise<string> => {
    const token = await by.client.token();
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
      body: JSON.stringify({ query: document, variables }),
    });
    return `${response.status} ${bare(await response.text(), variables)}`;
  };

  const furnish = async (tenant: number): Promise<void> => {
    const owner = await createTenant(await api.operator(), `Tenant ${tenant}`);
    const slug = `web-${tenant}`;
    const PROJECT = 'mutation ($slug: String!) { createProject(input: { slug: $slug, name: "P" }) { id } }';
    await owner.send(PROJECT, { slug });
    const author = await invite(owner, { displayName: 'Author', project: slug, projectRole: 'CONTRIBUTOR' });
    const capture = async (scope: string, project?: string): Promise<string> => {
      const input = { text: `canary${tenant} ${scope} ${randomUUID()}`, scope, project, merge: 'NEVER' };
      const made = await author.send<{ capture: { memory: { id: string } } }>(
        'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }',
        { input },
      );
      return made.capture.memory.id;
    };
    const { me } = await author.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
      '{ me { user { id } tenant { id } } }',
    );
    const { issueToken } = await author.send<{ issueToken: { token: { id: string } } }>(
      'mutation { issueToken(input: { name: "machine" }) { token { id } } }',
    );
    const { runMaintenance } = await owner.send<{ runMaintenance: { id: string } }>(
      'mutation { runMaintenance(input: {}) { id } }',
    );
    const { createRecallRule } = await author.send<{ createRecallRule: { id: string } }>(
      'mutation { createRecallRule(input: { name: "own", effect: FIRST, conditions: { pinned: true } }) { id } }',
    );
    const { sessions } = await author.send<{ sessions: { nodes: { id: string }[] } }>(
      '{ sessions(first: 1) { nodes { id } } }',
    );
    const { inviteUser } = await owner.send<{ inviteUser: { id: string } }>(
      'mutation { inviteUser(input: { displayName: "Awaited" }) { id } }',
    );
    const { exportData } = await author.send<{ exportData: { id: string } }>(
      'mutation { exportData(input: { kind: MINE }) { id } }',
    );
    const { keepTurns } = await author.send<{ keepTurns: { kept: { conversationId: string }[] } }>(
      `mutation { keepTurns(input: { turns: [{ key: "k", sessionKey: "s", promptKey: "p", at: "2026-01-01T00:00:00Z",
        prompt: "why", answer: "", tools: [], client: "test" }] }) { kept { conversationId } } }`,
    );
    const memoryIds = [await capture('PROJECT', slug), await capture('PRIVATE', slug), await capture('PRIVATE')];
    targets.push({
      ...(await furnishScopes(owner, author, slug, memoryIds)),
      ruleId: createRecallRule.id,
      sessionId: sessions.nodes[0]?.id ?? '',
      invitationId: inviteUser.id,
      identityId: await linked(me.tenant.id, me.user.id),
      upkeepRunId: await pruned(me.tenant.id, me.user.id),
      exportId: exportData.id,
      conversationId: keepTurns.kept[0]?.conversationId ?? '',
      erasureId: await erasing(me.tenant.id, me.user.id),
      encoderChangeId: await changing(me.tenant.id),
      tenant,
      memoryIds,
      projectSlug: slug,
      userId: me.user.id,
      tokenId: issueToken.token.id,
      runId: runMaintenance.id,
      tenantId: me.tenant.id,
    });
    await owner.send(PROJECT, { slug: 'own' });
    people.push({ client: owner, tenant, isAdmin: true });
    for (let n = 0; n < INSIDERS; n += 1) {
      people.push({ client: await invite(owner, { displayName: `Insider ${n}` }), tenant, isAdmin: false });
    }
  };

  /** A sign-in at another provider, as the browser's way would leave it. */
  const linked = (tenantId: string, userId: string): Promise<string> =>
    asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into login_identity (tenant_id, user_id, issuer, subject)
         values ($1, $2, 'https://id.example.org', $3) returning id`,
        [tenantId, userId, userId],
      );
      return rows[0]?.id ?? '';
    });

  /** A cleanup of the author's own private memories. */
  const pruned = (tenantId: string, userId: string): Promise<string> =>
    asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into upkeep_run (tenant_id, kind, made_by) values ($1, 'cleanup', $2) returning id`,
        [tenantId, userId],
      );
      return rows[0]?.id ?? '';
    });

  const erasing = (tenantId: string, userId: string): Promise<string> =>
    asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into erasure (tenant_id, user_id, requested_by, choice) values ($1, gen_random_uuid(), $2, 'keep') returning id`,
        [tenantId, userId],
      );
      return rows[0]?.id ?? '';
    });

  /** A change of encoder under way. */
  const changing = (tenantId: string): Promise<string> =>
    asSuperuser(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into encoder_change (tenant_id, name, from_encoder, to_encoder, edge, cluster)
         values ($1, 'canary', 'canary@0', 'canary@1', 0, 0) returning id`,
        [tenantId],
      );
      return rows[0]?.id ?? '';
    });

  /** What the same person is told about things that do not exist; asked once for each form of each operation. */
  const decoysOf = async (by: Person, like: Target): Promise<Map<string, string>> => {
    const decoys = new Map<string, string>();
    for (const [name, { document, variables }] of Object.entries(OPERATIONS)) {
      for (const [place, chosen] of variables(nobody(like)).entries()) {
        decoys.set(`${name} ${place}`, await answerOf(by, document, chosen));
      }
    }
    return decoys;
  };

  const attack = async (by: Person, target: Target, decoys: ReadonlyMap<string, string>): Promise<void> => {
    for (const [name, { document, variables }] of Object.entries(OPERATIONS)) {
      for (const [place, chosen] of variables(target).entries()) {
        const real = await answerOf(by, document, chosen);
        const decoy = decoys.get(`${name} ${place}`);
        attempts += 1;
        if (real !== decoy || real.includes(`canary${target.tenant}`)) leaks.push(`${name} ${real} / ${decoy}`);
      }
    }
  };

  beforeAll(async () => {
    api = await startTestApi();
    for (let tenant = 0; tenant < TENANTS; tenant += 1) await furnish(tenant);
  }, 300_000);
  afterAll(() => api?.close());

  it('covers every operation of the schema that takes the name of something', () => {
    const schema = buildSchema(readFileSync(new URL('../../apps/api/schema.graphql', import.meta.url), 'utf8'));
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    const open = fields.filter((field) => field.args.length > 0).map((field) => field.name);
    // These take no name of another's thing: only a page, one's own code or token, or what is to be made.
    const nameless = [
      'projects',
      'groups',
      'users',
      'tokens',
      'maintenanceRuns',
      'upkeepRuns',
      'operatorLogin',
      'createTenant',
      'login',
    ];
    nameless.push(
      'refresh',
      'exchangeToken',
      'logout',
      'issueToken',
      'issueMcpToken',
      'createProject',
      'runMaintenance',
      'captureMany',
    );
    nameless.push(
      'tenants',
      'operatorLog',
      'createOperatorCode',
      'updateTenant',
      'setSchedule',
      'pauseSchedule',
      'exportAudit',
      'verifyAudit',
      'setDefaultQuota',
      'invitations',
      'erasures',
      'encoders',
      'conversations',
      'previewEncoderChange',
      'changeEncoder',
      // A device's code belongs to nobody until somebody lets it in; attack 2.11 guesses it.
      'device',
      'approveDevice',
      'denyDevice',
    );
    expect(open.filter((name) => !nameless.includes(name)).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it("answers for others' things as for nothing, byte for byte, whoever asks", async () => {
    const [like] = targets;
    if (like === undefined) throw new Error('no target');
    const raid = async (by: Person): Promise<void> => {
      const decoys = await decoysOf(by, like);
      for (const target of targets) {
        // Of one's own tenant an admin sees the project and the runs; everything else stays hidden from both.
        if (target.tenant === by.tenant && by.isAdmin) continue;
        await attack(by, target, decoys);
      }
    };
    const waiting = [...people];
    const raider = async (): Promise<void> => {
      for (let by = waiting.shift(); by !== undefined; by = waiting.shift()) await raid(by);
    };
    await Promise.all(Array.from({ length: WIDTH }, raider));
    reportAttack('1.3', attempts, { leaks: leaks.length }, 'GraphQL');
    expect(leaks).toEqual([]);
    expect(attempts).toBeGreaterThan(1_000);
  }, 7_200_000);

  it('shows an owner no private memory of a colleague by id, list or search', async () => {
    for (const target of targets) {
      const owner = people.find((person) => person.tenant === target.tenant && person.isAdmin);
      if (owner === undefined) throw new Error('no owner');
      for (const id of target.memoryIds.slice(1)) {
        expect((await owner.client.refused(OPERATIONS['memory']?.document ?? '', { id })).code).toBe('NOT_FOUND');
      }
      const list = await answerOf(owner, `{ memories(first: 100) { totalCount nodes { text } } }`, {});
      expect(list).not.toContain('PRIVATE');
      expect(list).toContain('"totalCount":1');
      const search = await answerOf(owner, OPERATIONS['retrieve']?.document ?? '', {});
      expect(search).not.toContain('PRIVATE');
    }
  });
});
