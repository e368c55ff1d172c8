import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { startDeveloper, type Developer } from '../support/developer.js';
import { createTenant, invitationCode, logIn, type GraphQLClient } from '../support/graphql-client.js';
import { startInstance, type Instance } from '../support/instance.js';
import { untilTrue } from '../support/programs.js';

const POOL =
  'The connection pool of the checkout service ran dry under load because clients were never closed. Closing them in a finally block fixed it.';
const SIBLING =
  'Checkout ran out of database connections under load: clients leaked from the connection pool on errors, and releasing them fixed it.';
const BYSTANDER =
  'The invoice PDF is rendered by a queue worker with a bundled font, since the container image has no fonts installed.';
const SECRET = 'I think the checkout connection pool should be rewritten from scratch, but I am not ready to say so.';
const QUESTION = 'Why does the checkout service run out of database connections?';

const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { retrievalId hits { place score memory { id title }
  explanation { relevance gain placeWithoutLearning utility { evidence lent lentFrom } } } } }`;
const LIST = 'query { memories(first: 100) { totalCount nodes { id text } } }';
const SHOW = 'query ($id: ID!) { memory(id: $id) { id } }';

interface Hit {
  place: number;
  score: number;
  memory: { id: string };
  explanation: {
    relevance: number;
    gain: number;
    placeWithoutLearning: number;
    utility: { evidence: number; lent: number; lentFrom: string | null };
  };
}

describe('the story: two developers share a memory, others see nothing of it, and a night lends what helped', () => {
  let folder: string;
  let instance: Instance;
  let owner: GraphQLClient;
  let ana: Developer;
  let ben: Developer;
  let cy: Developer;
  let dora: Developer;
  let benByGraphQL: GraphQLClient;
  let cyByGraphQL: GraphQLClient;
  let doraByGraphQL: GraphQLClient;
  const id: Record<'pool' | 'sibling' | 'twin' | 'secret', string> = { pool: '', sibling: '', twin: '', secret: '' };
  let retrievalId = '';
  let before: Hit[] = [];

  const ask = async (by: GraphQLClient, query: string, limit = 20): Promise<Hit[]> =>
    (await by.send<{ retrieve: { hits: Hit[] } }>(RETRIEVE, { input: { query, limit } })).retrieve.hits;
  const hitOf = (hits: readonly Hit[], memory: string): Hit => {
    const hit = hits.find((one) => one.memory.id === memory);
    if (hit === undefined) throw new Error(`${memory} is not among ${hits.length} hits`);
    return hit;
  };

  const joinTeam = async (name: string, project?: string): Promise<{ developer: Developer; client: GraphQLClient }> => {
    const invitation = { displayName: name, ...(project ? { project, projectRole: 'CONTRIBUTOR' } : {}) };
    const client = await logIn(instance.url, await invitationCode(owner, invitation));
    const { createLoginCode } = await client.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    const machine = { name, folder, server: instance.url, code: createLoginCode.code };
    return { developer: await startDeveloper(project ? { ...machine, project } : machine), client };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tempera-story-'));
    instance = await startInstance({ worker: true });
    owner = await createTenant(instance.operator, 'Acme');
    await owner.send('mutation { createProject(input: { slug: "web-shop", name: "Web shop" }) { id } }');
    ({ developer: ana } = await joinTeam('Ana', 'web-shop'));
    ({ developer: ben, client: benByGraphQL } = await joinTeam('Ben', 'web-shop'));
    ({ developer: cy, client: cyByGraphQL } = await joinTeam('Cy'));
    const other = await createTenant(instance.operator, 'Other');
    doraByGraphQL = other;
    const { createLoginCode } = await other.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    dora = await startDeveloper({ name: 'Dora', folder, server: instance.url, code: createLoginCode.code });
  }, 180_000);

  afterAll(async () => {
    for (const developer of [ana, ben, cy, dora]) await developer?.close();
    await instance?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('A captures into the project through MCP, and something for herself alone', async () => {
    const capture = async (summary: string, scope: string): Promise<string> => {
      const answer = await ana.call('tempera_capture', { summary, scope, kind: 'episode', outcome: 'success' });
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.data['scope']).toBe(scope);
      return String(answer.data['id']);
    };
    id.pool = await capture(POOL, 'project');
    id.sibling = await capture(SIBLING, 'project');
    await capture(BYSTANDER, 'project');
    id.secret = await capture(SECRET, 'private');
    const { capture: twin } = await owner.send<{ capture: { memory: { id: string } } }>(
      'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }',
      { input: { text: SIBLING, scope: 'TENANT', outcome: 'SUCCESS', merge: 'NEVER' } },
    );
    id.twin = twin.memory.id;
  });

  it('B finds it through his own MCP client and votes it helpful', async () => {
    const answer = await ben.call('tempera_retrieve', { query: QUESTION, limit: 3 });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toContain('Closing them in a finally block');
    const found = (answer.data['hits'] as { id: string }[]).map((hit) => hit.id);
    expect(found).toContain(id.pool);
    expect(found).not.toContain(id.secret);
    retrievalId = String(answer.data['retrievalId']);
    const vote = await ben.call('tempera_feedback', {
      episode_ids: [id.pool],
      helpful: true,
      retrieval_id: retrievalId,
    });
    expect(vote.data['recorded']).toEqual([id.pool]);
  });

  it('A asks too, so that two people have asked', async () => {
    const answer = await ana.call('tempera_retrieve', { query: 'connection pool ran dry in checkout', limit: 3 });
    expect((answer.data['hits'] as { id: string }[]).map((hit) => hit.id)).toContain(id.pool);
  });

  it('C in the same tenant and D in another find nothing by search, list or id', async () => {
    const unknown = await cyByGraphQL.refused(SHOW, { id: randomUUID() });
    for (const [developer, client] of [
      [cy, cyByGraphQL],
      [dora, doraByGraphQL],
    ] as const) {
      const answer = await developer.call('tempera_retrieve', { query: QUESTION, limit: 20 });
      const found = ((answer.data['hits'] ?? []) as { id: string }[]).map((hit) => hit.id);
      for (const hidden of [id.pool, id.sibling, id.secret]) expect(found).not.toContain(hidden);
      expect(answer.text).not.toContain('finally block');
      const { memories } = await client.send<{ memories: { nodes: { id: string }[] } }>(LIST);
      for (const hidden of [id.pool, id.sibling, id.secret]) {
        expect(memories.nodes.map((node) => node.id)).not.toContain(hidden);
        const refusal = await client.refused(SHOW, { id: hidden });
        expect([refusal.code, refusal.message]).toEqual([unknown.code, unknown.message]);
      }
    }
  });

  it('attack 1.3: every tool refuses what is hidden as it refuses what is not there', async () => {
    const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    const bare = (text: string, name: string): string =>
      text.replaceAll(name, 'NAME').replaceAll(name.slice(0, 8), 'SHORT').replaceAll(UUID, 'ID');
    let attempts = 0;
    const compare = async (
      by: Developer,
      tool: string,
      args: (name: string) => object,
      hidden: string,
      absent: string,
    ) => {
      const [real, none] = [await by.call(tool, { ...args(hidden) }), await by.call(tool, { ...args(absent) })];
      attempts += 1;
      expect(bare(real.text, hidden)).toBe(bare(none.text, absent));
      expect(real.isError).toBe(none.isError);
    };
    for (const developer of [cy, dora]) {
      for (const hidden of [id.pool, id.sibling, id.secret]) {
        await compare(developer, 'tempera_retrieve', (query) => ({ query }), hidden, randomUUID());
        await compare(
          developer,
          'tempera_feedback',
          (one) => ({ episode_ids: [one], helpful: true }),
          hidden,
          randomUUID(),
        );
        // Eight hex characters that are no memory are searched as words, and may find what Cy may see.
        const byShortId = await developer.call('tempera_retrieve', { query: hidden.slice(0, 8) });
        attempts += 1;
        expect(JSON.stringify(byShortId.data)).not.toContain(hidden);
        expect(byShortId.data['unknownIds']).toEqual([hidden.slice(0, 8)]);
      }
      for (const tool of ['tempera_retrieve', 'tempera_capture', 'tempera_status']) {
        const words = tool === 'tempera_status' ? {} : { query: 'pool', summary: 'planted' };
        await compare(developer, tool, (project) => ({ ...words, project }), 'web-shop', 'no-such-shop');
      }
    }
    reportAttack('1.3', attempts, { leaks: 0 }, 'MCP tools');
  });

  it('what A keeps private is invisible to B by search, list and id, and counts nowhere', async () => {
    const hits = await ask(benByGraphQL, 'rewrite the checkout connection pool from scratch');
    expect(hits.map((hit) => hit.memory.id)).not.toContain(id.secret);
    const { memories } = await benByGraphQL.send<{ memories: { totalCount: number; nodes: { text: string }[] } }>(LIST);
    expect(memories.nodes.map((node) => node.text)).not.toContain(SECRET);
    expect(memories.totalCount).toBe(4);
    expect((await benByGraphQL.refused(SHOW, { id: id.secret })).code).toBe('NOT_FOUND');
    const byTool = await ben.call('tempera_retrieve', { query: id.secret });
    expect(byTool.text).not.toContain('not ready to say so');
    expect((await ana.call('tempera_retrieve', { query: id.secret })).text).toContain('not ready to say so');
  });

  it('before the night a memory nobody voted on stands level with its twin of another audience', async () => {
    before = await ask(benByGraphQL, SIBLING);
    expect(hitOf(before, id.sibling).score).toBeCloseTo(hitOf(before, id.twin).score, 9);
  });

  it("a night's run raises it, and its explanation says by how much and from where", async () => {
    const { runMaintenance } = await owner.send<{ runMaintenance: { id: string } }>(
      'mutation { runMaintenance(input: {}) { id status } }',
    );
    let report: { sources: number; converged: boolean } | null = null;
    await untilTrue('the run is completed', async () => {
      const { maintenanceRun } = await owner.send<{
        maintenanceRun: { status: string; failure: string | null; report: typeof report };
      }>('query ($id: ID!) { maintenanceRun(id: $id) { status failure report { sources converged touched } } }', {
        id: runMaintenance.id,
      });
      report = maintenanceRun.report;
      return maintenanceRun.status === 'COMPLETED';
    });
    expect(report).toMatchObject({ sources: 1 });
    const after = await ask(benByGraphQL, SIBLING);
    const raised = hitOf(after, id.sibling);
    const twin = hitOf(after, id.twin);
    expect(raised.explanation.utility.lent).toBeGreaterThan(0.01);
    expect(raised.explanation.utility.lentFrom).toBe(id.pool);
    expect(raised.explanation.utility.evidence).toBe(0.5);
    expect(raised.explanation.gain).toBeGreaterThan(0);
    expect(twin.explanation.utility.lent).toBe(0);
    expect(raised.score).toBeGreaterThan(hitOf(before, id.sibling).score);
    expect(raised.place).toBeLessThan(twin.place);
    expect(twin.score).toBeCloseTo(hitOf(before, id.twin).score, 9);
    process.stdout.write(
      `story: lent ${raised.explanation.utility.lent.toFixed(4)} from ${id.pool.slice(0, 8)}, ` +
        `score ${hitOf(before, id.sibling).score.toFixed(4)} -> ${raised.score.toFixed(4)}\n`,
    );
  });

  it('the command line tells each developer the same as the tools', async () => {
    const listed = await ben.run(['retrieve', QUESTION, '--json']);
    expect(JSON.parse(listed)).toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ id: id.pool })]),
    });
    expect(await ben.run(['whoami'])).toContain('Ben');
    // A brief is an answer too: what it told is voted on by its id, from the command line as from an agent.
    await ana.call('tempera_capture', {
      summary: 'Close clients of the connection pool in finally.',
      kind: 'correction',
    });
    const task = 'Clients of the connection pool leak';
    const told = await ben.call('tempera_retrieve', { query: task, brief: {} });
    const said = JSON.parse(await ben.run(['brief', task, '--json'])) as typeof told.data;
    for (const { retrievalId: answer, items } of [told.data, said] as {
      retrievalId: string;
      items: { id: string }[];
    }[]) {
      const [first = ''] = items.map((item) => item.id);
      const ballot = { episode_ids: [first], helpful: true, retrieval_id: answer };
      expect((await ben.call('tempera_feedback', ballot)).data['recorded']).toEqual([first]);
      const line = ['feedback', 'helpful', '--episodes', first, '--retrieval', answer, '--json'];
      expect(JSON.parse(await ben.run(line))).toMatchObject({ recorded: [first] });
    }
    expect(said).not.toMatchObject({ retrievalId: told.data['retrievalId'] });
    await cy.run(['retrieve', id.pool.slice(0, 8), '--json']).then(
      (text) => expect(text).not.toContain('finally block'),
      (error: Error) => expect(error.message).not.toContain('finally block'),
    );
  });
});
