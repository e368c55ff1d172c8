import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '@tempera/core';
import { change, RESTORE } from './edit-world.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

const SET = 'mutation ($input: SetSettingInput!) { setSetting(input: $input) { value } }';
const RESET = 'mutation ($input: ResetSettingInput!) { resetSetting(input: $input) { value } }';
const EDIT = `mutation ($id: ID!, $r: Int!, $input: EditMemoryInput!) { editMemory(id: $id, expectedRevision: $r, input: $input) {
  changed } }`;
const WEIGHTS = ['similarity', 'utility', 'recency'].map((part) => `retrieval.${part}_weight`);

let world: MemoryWorld;
/** How far the service's clock has been put back, in milliseconds. */
let back = 0;

beforeAll(async () => {
  world = await openMemoryWorld({ now: () => new Date(Date.now() - back) });
});
afterAll(() => world.close());

const keep = async (text: string, more: object = {}): Promise<string> =>
  (await capture(world.ada, { text, project: 'shop', merge: 'NEVER', ...more })).memory.id;

describe('odd input loses nothing', () => {
  it('weights that sum to zero leave the order to relevance, in both rankings', async () => {
    for (const at of ['gate', 'fence', 'lawn']) await keep(`The ${at} of the garden is watered by the red hose.`);
    const orders = new Set<string>();
    for (const ranking of ['bounded', 'linear']) {
      for (const key of WEIGHTS) await world.owner.send(SET, { input: { key, value: '0' } });
      await world.owner.send(SET, { input: { key: 'retrieval.ranking', value: ranking } });
      const { hits } = await retrieve(world.ada, 'What waters the lawn of the garden?', { project: 'shop' });
      expect(hits.length).toBeGreaterThan(2);
      // The shipped rule for what is days old lifts all of them alike.
      for (const { score, explanation } of hits) expect(score / explanation.relevance).toBeCloseTo(1.01, 9);
      const shares = hits.map(({ explanation }) => explanation.relevance);
      expect(shares).toEqual([...shares].sort((one, other) => other - one));
      orders.add(hits.map(({ memory }) => memory.id).join());
    }
    expect(orders.size).toBe(1);
    for (const key of [...WEIGHTS, 'retrieval.ranking']) await world.owner.send(RESET, { input: { key } });
  });

  it('a text of nothing that a person sees is no text, and a name turns no direction', async () => {
    const kept = await keep('The buoy of the harbour blinks.', { scope: 'PRIVATE' });
    const INVITE = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { id } }';
    const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { status } }';
    const PROJECT = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { slug } }';
    const blank = '\u200b\u2060';
    const refusals: [document: string, variables: Record<string, unknown>][] = [
      [CAPTURE, { input: { text: blank } }],
      [CAPTURE, { input: { text: 'x', title: blank } }],
      [CAPTURE, { input: { text: 'x', tags: ['a', blank] } }],
      [EDIT, { id: kept, r: 1, input: { text: '\u3164' } }],
      ['query ($input: BriefInput!) { brief(input: $input) { tokens } }', { input: { task: blank } }],
      ['mutation ($input: RetrieveInput!) { retrieve(input: $input) { mode } }', { input: { query: blank } }],
      [
        'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { resolution } }',
        { input: { first: kept, second: kept, resolution: 'MERGE', text: blank } },
      ],
    ];
    for (const [document, variables] of refusals)
      expect([variables, (await world.ada.refused(document, variables)).code]).toEqual([variables, 'BAD_USER_INPUT']);
    for (const name of [blank, '\u202eBen', 'B\u2066en', 'Ben\nAda']) {
      const told = await world.owner.refused(INVITE, { input: { displayName: name, role: 'MEMBER' } });
      expect([name, told.code]).toEqual([name, 'BAD_USER_INPUT']);
      expect(told.message).toContain('`displayName`');
      const project = await world.owner.refused(PROJECT, { input: { slug: 'blank', name } });
      expect([name, project.code]).toEqual([name, 'BAD_USER_INPUT']);
    }
    // What is written from the right, or holds a joiner, is a name.
    await world.owner.send(INVITE, { input: { displayName: 'ی\u200cها דני', role: 'MEMBER' } });
  });

  it('a beginning in the future or after the end is refused; a clock that runs a little ahead is not', async () => {
    const refused = async (more: object): Promise<string> =>
      (
        await world.ada.refused('mutation ($input: CaptureInput!) { capture(input: $input) { status } }', {
          input: { text: 'The crane was oiled.', ...more },
        })
      ).message;
    expect(await refused({ startedAt: '2999-01-01T00:00:00Z' })).toContain('`startedAt` lies in the future');
    const late = { startedAt: '2026-02-01T00:00:00Z', occurredAt: '2026-01-01T00:00:00Z' };
    expect(await refused(late)).toContain('`startedAt` lies after `occurredAt`');
    expect(await refused({ occurredAt: '0001-01-01T00:00:00Z' })).toContain('from 1900-01-01 to 9999-12-30');
    const ahead = new Date(Date.now() + 60_000).toISOString();
    expect((await capture(world.ada, { text: 'The crane was oiled.', startedAt: ahead })).status).toBe('CREATED');
  });

  it('every setting refuses what lies outside its range, and nothing is set', async () => {
    const list = '{ settings { key min max tenantValue } }';
    type Row = { key: string; min: number | null; max: number | null; tenantValue: string | null };
    const { settings } = await world.owner.send<{ settings: Row[] }>(list);
    expect(settings.length).toBe(Object.keys(SETTINGS).length);
    let tried = 0;
    for (const { key, min, max } of settings) {
      const outside = [...(min === null ? [] : [min - 1]), ...(max === null ? [] : [max + 1])];
      for (const value of outside) {
        const { code, message } = await world.owner.refused(SET, { input: { key, value: String(value) } });
        expect([code, message.includes(key)]).toEqual(['BAD_USER_INPUT', true]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(2 * 20);
    const after = await world.owner.send<{ settings: Row[] }>(list);
    expect(after.settings.filter(({ tenantValue }) => tenantValue !== null)).toEqual([]);
  });

  it('a memory that is pinned and expired at once has expired, and is first again when it no longer expires', async () => {
    const id = await keep('The lighthouse lamp is lit at dusk.', { scope: 'PRIVATE', pinned: true });
    await keep('The lighthouse lamp is cleaned by hand at dusk.', { scope: 'PRIVATE' });
    const first = async (): Promise<string | undefined> =>
      (await retrieve(world.ada, 'When is the lighthouse lamp lit?')).hits[0]?.memory.id;
    expect(await first()).toBe(id);
    await world.ada.send(EDIT, { id, r: 1, input: { expiresAt: new Date(Date.now() - 1000).toISOString() } });
    const { hits } = await retrieve(world.ada, 'When is the lighthouse lamp lit?', { limit: 50 });
    expect(hits.map(({ memory }) => memory.id)).not.toContain(id);
    await world.ada.send(EDIT, { id, r: 2, input: { expiresAt: null } });
    expect(await first()).toBe(id);
  });

  it('links that would close a circle are refused, and all that was linked stays', async () => {
    const ids: string[] = [];
    for (const n of ['first', 'second', 'third'])
      ids.push(await keep(`The ${n} plan of the harbour.`, { kind: 'DECISION' }));
    const [a = '', b = '', c = ''] = ids;
    const replace = (id: string, supersedes: string): Promise<unknown> =>
      world.ada.send(EDIT, { id, r: 1, input: { supersedes } });
    await replace(b, a);
    await replace(c, b);
    const refused = await world.ada.refused(EDIT, { id: a, r: 1, input: { supersedes: c } });
    expect(['CONFLICT', 'BAD_USER_INPUT']).toContain(refused.code);
    const { memory } = await world.ada.send<{ memory: { supersededBy: string | null } }>(
      'query ($id: ID!) { memory(id: $id) { supersededBy } }',
      { id: c },
    );
    expect(memory.supersededBy).toBeNull();
    await change(world.ada, RESTORE, { id: a });
  });

  it('a clock that goes back neither hides nor breaks anything, and every share stays one', async () => {
    const id = await keep('The observatory dome opens to the west.');
    const question = 'Where does the observatory dome open to?';
    const asked = await retrieve(world.ben, question, { project: 'shop' });
    await feedback(world.ben, { memoryIds: [id], helpful: true, retrievalId: asked.retrievalId });
    back = 20_000;
    const hit = (await retrieve(world.ben, question, { project: 'shop' })).hits.find(({ memory }) => memory.id === id);
    const shares = [hit?.similarity, hit?.explanation.utility.utility, hit?.explanation.utility.evidence];
    for (const share of shares) expect(share !== undefined && share >= 0 && share <= 1).toBe(true);
    const turned = await feedback(world.ben, { memoryIds: [id], helpful: false, retrievalId: asked.retrievalId });
    expect(turned.recorded).toEqual([id]);
    expect((await capture(world.ada, 'Captured before the last one, by the clock.')).status).toBe('CREATED');
    back = 0;
  });

  it('CJK and emoji in every field come back as they were, and find what they were put into', async () => {
    const word = '灯塔🗼しりとり끝말잇기👩‍👩‍👧';
    const input = {
      ...{
        text: `${word}的登录页面缓存失效。`,
        title: `标题${word}`,
        tags: [`标签${word}`],
        filesModified: [`源码/${word}.ts`],
      },
      errorsResolved: [{ error: `错误${word}`, resolution: `解决${word}` }],
      alternatives: [{ approach: `方法${word}`, whyNot: `原因${word}`, revisitIf: `如果${word}` }],
      ...{ sessionKey: `会话${word}`, project: 'shop', merge: 'NEVER' },
    };
    const { id } = (await capture(world.ada, input)).memory;
    const fields = `title text tags filesModified errorsResolved { error resolution } alternatives { approach whyNot revisitIf }`;
    const { memory } = await world.ben.send<{ memory: object }>(`query ($id: ID!) { memory(id: $id) { ${fields} } }`, {
      id,
    });
    const { sessionKey: _session, project: _project, merge: _merge, ...told } = input;
    expect(memory).toEqual(told);
    const found = await retrieve(world.ben, '登录页面缓存', {
      tags: input.tags,
      files: input.filesModified,
      project: 'shop',
    });
    expect(found.hits.map((hit) => hit.memory.id)).toEqual([id]);
    const ballot = { memoryIds: [id], helpful: true, retrievalId: found.retrievalId, note: `备注${word}` };
    expect((await feedback(world.ben, ballot)).recorded).toEqual([id]);
    const { brief } = await world.ben.send<{ brief: { items: { memory: { id: string } }[] } }>(
      'query ($input: BriefInput!) { brief(input: $input) { items { memory { id } } } }',
      { input: { project: 'shop', task: `错误${word}`, files: input.filesModified, domain: input.tags[0] } },
    );
    expect(brief.items.map((item) => item.memory.id)).toContain(id);
  });
});
