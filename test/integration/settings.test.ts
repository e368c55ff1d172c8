import { SETTINGS } from '@tempera/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

const SET = 'mutation ($input: SetSettingInput!) { setSetting(input: $input) { key tenantValue projectValue value } }';
const RESET =
  'mutation ($input: ResetSettingInput!) { resetSetting(input: $input) { key tenantValue projectValue value } }';
const LIST =
  'query ($project: String) { settings(project: $project) { key type scope unit min max choices defaultValue tenantValue projectValue value } }';
interface Row {
  key: string;
  scope: string;
  defaultValue: string | null;
  tenantValue: string | null;
  projectValue: string | null;
  value: string | null;
}

let api: TestApi;
let operator: GraphQLClient;
let owner: GraphQLClient;
let maintainer: GraphQLClient;
let reader: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  for (const slug of ['api', 'web']) {
    await owner.send('mutation ($slug: String!) { createProject(input: { slug: $slug, name: "P" }) { id } }', { slug });
  }
  maintainer = await invite(owner, { displayName: 'Mia', project: 'api', projectRole: 'MAINTAINER' });
  reader = await invite(owner, { displayName: 'Rea', project: 'api', projectRole: 'READER' });
});
afterAll(() => api.close());

const list = async (by: GraphQLClient, project?: string): Promise<Map<string, Row>> => {
  const { settings } = await by.send<{ settings: Row[] }>(LIST, { project });
  return new Map(settings.map((row) => [row.key, row]));
};

describe('settings', () => {
  it('show every key with its default, and nothing set at first', async () => {
    const rows = await list(reader, 'api');
    expect([...rows.keys()].sort()).toEqual(Object.keys(SETTINGS).sort());
    for (const row of rows.values())
      expect(row).toMatchObject({ tenantValue: null, projectValue: null, value: row.defaultValue });
    expect(rows.get('retrieval.max_boost')).toMatchObject({ scope: 'PROJECT', min: 0, max: 1, defaultValue: '0.1' });
    expect(rows.get('bellman.gamma')).toMatchObject({ scope: 'TENANT' });
  });

  it('of a project go before the tenant’s, and fall back when they are reset', async () => {
    const key = 'retrieval.max_boost';
    await owner.send(SET, { input: { key, value: '0.2' } });
    const set = await maintainer.send(SET, { input: { key, value: '0.3', project: 'api' } });
    expect(set).toEqual({ setSetting: { key, tenantValue: '0.2', projectValue: '0.3', value: '0.3' } });
    expect((await list(owner, 'web')).get(key)?.value).toBe('0.2');
    await maintainer.send(RESET, { input: { key, project: 'api' } });
    expect((await list(reader, 'api')).get(key)).toMatchObject({ projectValue: null, value: '0.2' });
    await owner.send(RESET, { input: { key } });
    expect((await list(reader, 'api')).get(key)?.value).toBe('0.1');
  });

  it('are set by admins, a project’s by its maintainers too, and by no one else', async () => {
    const key = 'retrieval.max_recall_items';
    expect((await maintainer.refused(SET, { input: { key, value: '7' } })).code).toBe('FORBIDDEN');
    expect((await reader.refused(SET, { input: { key, value: '7', project: 'api' } })).code).toBe('FORBIDDEN');
    expect((await reader.refused(RESET, { input: { key, project: 'api' } })).code).toBe('FORBIDDEN');
    const hidden = await maintainer.refused(SET, { input: { key, value: '7', project: 'web' } });
    const missing = await maintainer.refused(SET, { input: { key, value: '7', project: 'nothing' } });
    expect(hidden.message).toBe(missing.message);
    expect((await maintainer.refused(LIST, { project: 'web' })).message).toBe(missing.message);
  });

  it('refuse what is out of range, of another type or no key, and say what would be right', async () => {
    const wrong: [string, string, string][] = [
      ['retrieval.max_boost', '1.5', 'retrieval.max_boost must be between 0 and 1.'],
      ['retrieval.max_boost', 'much', 'retrieval.max_boost must be a number.'],
      ['retrieval.max_boost', 'NaN', 'retrieval.max_boost must be a number.'],
      ['retrieval.max_boost', '', 'retrieval.max_boost must be a number.'],
      ['retrieval.max_boost', '1e999', 'retrieval.max_boost must be a number.'],
      ['retrieval.max_recall_items', '2.5', 'retrieval.max_recall_items must be a whole number.'],
      ['retrieval.ranking', 'random', 'retrieval.ranking must be one of: bounded, linear.'],
      ['retrieval.max_bost', '0.1', 'There is no such setting. Did you mean retrieval.max_boost?'],
      ['colour', 'red', 'There is no such setting. The query `settings` lists them.'],
    ];
    for (const [key, value, message] of wrong) {
      expect((await owner.refused(SET, { input: { key, value } })).message).toBe(`BAD_USER_INPUT: ${message}`);
    }
    const narrow = await owner.refused(SET, { input: { key: 'bellman.gamma', value: '0.5', project: 'api' } });
    expect(narrow.message).toBe('BAD_USER_INPUT: bellman.gamma is set for the whole tenant.');
    for (const row of (await list(owner, 'api')).values()) expect(row.tenantValue).toBeNull();
  });

  it('leave in the audit what was before and after', async () => {
    await owner.send(SET, { input: { key: 'bellman.gamma', value: '0.5' } });
    const { auditLog } = await owner.send<{ auditLog: { nodes: { action: string; details: string }[] } }>(
      '{ auditLog(first: 1) { nodes { action details } } }',
    );
    expect(auditLog.nodes[0]?.action).toBe('setting.changed');
    expect(JSON.parse(auditLog.nodes[0]?.details ?? '')).toEqual({ key: 'bellman.gamma', before: null, value: 0.5 });
    await owner.send(RESET, { input: { key: 'bellman.gamma' } });
  });
});

describe('a changed setting changes what is done:', () => {
  let tenants = 0;
  const fresh = async (texts: readonly string[]): Promise<{ client: GraphQLClient; ids: string[] }> => {
    const client = await createTenant(operator, `Fresh ${(tenants += 1)}`);
    const ids: string[] = [];
    for (const text of texts) {
      const { capture } = await client.send<{ capture: { memory: { id: string } } }>(
        'mutation ($text: String!) { capture(input: { text: $text, merge: NEVER }) { memory { id } } }',
        { text },
      );
      ids.push(capture.memory.id);
    }
    return { client, ids };
  };
  const set = (client: GraphQLClient, key: string, value: string): Promise<unknown> =>
    client.send(SET, { input: { key, value } });
  interface Hit {
    memory: { id: string };
    score: number;
    explanation: { rule: string | null };
  }
  const ask = async (client: GraphQLClient, query: string, limit?: number): Promise<Hit[]> =>
    (
      await client.send<{ retrieve: { hits: Hit[] } }>(
        'mutation ($query: String!, $limit: Int) { retrieve(input: { query: $query, limit: $limit }) { hits { memory { id } score explanation { rule } } } }',
        { query, limit },
      )
    ).retrieve.hits;
  const pools = Array.from({ length: 7 }, (_, n) => `The connection pool of service ${n} must be closed after use.`);
  const QUESTION = 'connection pool closed after use';

  it('retrieval.max_recall_items, where no limit is named', async () => {
    const { client } = await fresh(pools);
    expect(await ask(client, QUESTION)).toHaveLength(5);
    await set(client, 'retrieval.max_recall_items', '2');
    expect(await ask(client, QUESTION)).toHaveLength(2);
    expect(await ask(client, QUESTION, 4)).toHaveLength(4);
  });

  it('retrieval.min_similarity and retrieval.ranking', async () => {
    const { client } = await fresh(pools.slice(0, 2));
    const [before] = await ask(client, QUESTION);
    await set(client, 'retrieval.ranking', 'linear');
    const [linear] = await ask(client, QUESTION);
    expect(linear?.score).not.toBeCloseTo(before?.score ?? 0, 3);
    await set(client, 'retrieval.min_similarity', '1');
    expect(await ask(client, 'something of a pool perhaps')).toEqual([]);
  });

  it('retrieval.mmr_lambda: near-duplicates give way', async () => {
    const texts = [
      'Close the connection pool after use.',
      'Close the connection pool after its use.',
      'The pool of database connections is sized by the number of cores.',
    ];
    const { client, ids } = await fresh(texts);
    await set(client, 'retrieval.min_similarity', '0');
    const second = async (): Promise<string | undefined> =>
      (await ask(client, 'close connection pool after use', 2))[1]?.memory.id;
    expect(ids.slice(0, 2)).toContain(await second());
    await set(client, 'retrieval.mmr_lambda', '0.1');
    expect(await second()).toBe(ids[2]);
  });

  it('storage.consolidation_threshold: what counts as a repetition at capture', async () => {
    const text = 'Use the read replica for reports; the primary is for writes.';
    const again = 'For reports use the read replica; the primary is for writes.';
    const CAPTURE = 'mutation ($text: String!) { capture(input: { text: $text }) { status } }';
    const { client } = await fresh([]);
    await client.send(CAPTURE, { text });
    await set(client, 'storage.consolidation_threshold', '1');
    expect(await client.send(CAPTURE, { text: again })).toEqual({ capture: { status: 'CREATED' } });
    const lenient = (await fresh([])).client;
    await lenient.send(CAPTURE, { text });
    await set(lenient, 'storage.consolidation_threshold', '0.8');
    expect(await lenient.send(CAPTURE, { text: again })).toEqual({ capture: { status: 'MERGED' } });
  });

  it('storage.cluster_threshold: what counts as near at capture', async () => {
    const CAPTURE =
      'mutation ($text: String!) { capture(input: { text: $text, merge: NEVER }) { near { similarity } } }';
    const near = async (threshold: string): Promise<number> => {
      const { client } = await fresh([
        'The build cache is shared by all runners of a branch, and it is emptied every week.',
      ]);
      await set(client, 'storage.cluster_threshold', threshold);
      await set(client, 'storage.consolidation_threshold', '1');
      const { capture } = await client.send<{ capture: { near: unknown[] } }>(CAPTURE, {
        text: 'The build cache is shared by the runners of a branch; Maria looks after it from the office.',
      });
      return capture.near.length;
    };
    expect(await near('0.5')).toBe(1);
    expect(await near('1')).toBe(0);
  });

  it('bellman.decay_rate: how fast an unused memory fades, wherever utility is shown', async () => {
    const { client, ids } = await fresh(['Work of long ago.']);
    await asSuperuser(api.database.adminUrl, (db) =>
      db.query(`update memory_stat set last_useful_at = now() - interval '100 days' where memory_id = $1`, [ids[0]]),
    );
    const fade = async (): Promise<number> => {
      const { memory } = await client.send<{ memory: { utility: { fade: number } } }>(
        'query ($id: ID!) { memory(id: $id) { utility { fade } } }',
        { id: ids[0] },
      );
      return memory.utility.fade;
    };
    expect(await fade()).toBeCloseTo(0.99 ** 100, 3);
    await set(client, 'bellman.decay_rate', '0');
    expect(await fade()).toBe(1);
  });
});
