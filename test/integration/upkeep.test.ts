import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphQLClient } from '../support/graphql-client.js';
import {
  change,
  edit,
  type EditWorld,
  FORGET,
  openEditWorld,
  PIN,
  READ,
  read,
  refusal,
  RESTORE,
} from './edit-world.js';
import { capture, retrieve } from './memory-world.js';
import {
  age,
  allRows,
  CLEANUP,
  cleanup,
  CONSOLIDATE,
  consolidate,
  membersOf,
  merge,
  MERGE,
  query,
  review,
  REVIEW,
  undo,
  UNDO,
  upkeepRuns,
  vote,
} from './upkeep-world.js';

let world: EditWorld;
let mia: GraphQLClient;
let ada: GraphQLClient;
let ben: GraphQLClient;

beforeAll(async () => {
  world = await openEditWorld();
  ({ mia, ada, ben } = world);
  // Lower than the card's, so that "timeout 30 s" and "timeout 60 s" are near enough, and only the guard keeps them apart.
  await world.owner.send(
    'mutation { setSetting(input: { key: "storage.cluster_threshold", value: "0.85", project: "shop" }) { key } }',
  );
});
afterAll(() => world.close());

const share = async (person: GraphQLClient, text: string, more: object = {}): Promise<string> =>
  (await capture(person, { project: 'shop', merge: 'NEVER', text, ...more })).memory.id;
const statOf = async (id: string): Promise<Record<string, number>> =>
  (await query<Record<string, number>>(world, 'select * from memory_stat where memory_id = $1', [id]))[0] ?? {};
const stateOf = async (id: string): Promise<string> => (await read(ada, id)).state;
const DO = { project: 'shop', execute: true };

describe('consolidation', () => {
  let older: string;
  let newer: string;
  const question = 'How are the storefront images resized?';

  beforeAll(async () => {
    older = await share(ada, 'Storefront images are resized by the nightly batch job.', { tags: ['images', 'old'] });
    newer = await share(ada, 'Storefront images are resized by the nightly batch job!', { tags: ['images', 'new'] });
    await share(ada, 'timeout 30 s');
    await share(ada, 'timeout 60 s');
    await vote(ben, question, older);
    await vote(ben, question, newer);
    await vote(mia, question, older);
  });

  it('is a dry run that changes nothing, for everyone; with effect it is a maintainer’s', async () => {
    const before = await allRows(world);
    for (const person of [ada, world.reader, world.viewer, mia]) {
      const found = await review(person, 'shop');
      expect(found).toMatchObject({ complete: true, guarded: 1, mayExecute: person === mia });
      expect(membersOf(found.clusters)).toEqual([[newer, older]]);
      expect(membersOf((await consolidate(person, { project: 'shop' })).clusters)).toEqual([[newer, older]]);
      await cleanup(person, { project: 'shop' });
    }
    for (const person of [ada, world.reader, world.viewer]) {
      expect(await refusal(person, CONSOLIDATE, { input: DO })).toContain('FORBIDDEN');
      expect(await refusal(person, CLEANUP, { input: DO })).toContain('FORBIDDEN');
    }
    for (const person of [ada, world.viewer]) {
      expect(await refusal(person, MERGE, { ids: [older, newer] })).toContain('FORBIDDEN');
    }
    expect(await allRows(world)).toEqual(before);
  });

  it('answers hidden as missing, byte for byte', async () => {
    const missing = (document: string, variables: object): Promise<string> =>
      refusal(world.stranger, document, { ...variables });
    for (const [document, variables] of [
      [REVIEW, { project: 'shop' }],
      [CONSOLIDATE, { input: DO }],
      [CLEANUP, { input: DO }],
    ] as const) {
      expect(await missing(document, variables)).toContain('NOT_FOUND');
      expect(await refusal(world.cleo, document, variables)).toBe(await missing(document, variables));
    }
    const nothing = await missing(MERGE, { ids: [randomUUID(), randomUUID()] });
    expect(await missing(MERGE, { ids: [older, newer] })).toBe(nothing);
    expect(await refusal(world.cleo, MERGE, { ids: [older, newer] })).toBe(nothing);
  });

  it('A7: keeps the newest text, joins what is beside it, counts each person once, and is taken back to the last row', async () => {
    const before = await allRows(world);
    const alone = await statOf(newer);
    const { runId, clusters, remaining } = await consolidate(mia, DO);
    expect(membersOf(clusters)).toEqual([[newer, older]]);
    expect(remaining).toBe(0);
    expect((await read(ada, newer)).tags).toEqual(['images', 'new', 'old']);
    const merged: object = await mia.send(READ.replace('state ', 'state mergedInto '), { id: older });
    expect(merged).toMatchObject({ memory: { state: 'ARCHIVED', mergedInto: newer } });
    expect(await refusal(mia, PIN, { id: older, pinned: true })).toContain(`merged into ${newer}: change that one`);
    // Ben voted on both on one day: one voice. Mia's vote on the older counts too, and so do her question and both askings.
    expect(alone).toMatchObject({ helpful: 1, helpful_others: 1, asked_retrievals: 2 });
    expect(await statOf(newer)).toMatchObject({ helpful: 2, helpful_others: 2, asked_retrievals: 2 });
    const audit = await query(world, `select action from audit where subject_id = $1`, [runId]);
    expect(audit).toEqual([{ action: 'memories.merged' }]);
    expect(await refusal(ada, UNDO, { id: runId })).toContain('NOT_FOUND');
    const mias = (await mia.send<{ me: { user: { id: string } } }>('{ me { user { id } } }')).me.user.id;
    const told = {
      id: runId,
      kind: 'CONSOLIDATE',
      project: 'shop',
      madeBy: mias,
      maintenanceRunId: null,
      merged: 1,
      pruned: 0,
    };
    expect(await upkeepRuns(mia)).toEqual([{ ...told, groupId: null, undoneAt: null }]);
    // Who may not take it back, and who sees nothing of the project, is told of no run.
    for (const person of [ada, ben, world.viewer, world.cleo, world.stranger])
      expect(await upkeepRuns(person)).toEqual([]);
    expect(await undo(mia, String(runId).slice(0, 8))).toMatchObject({ restoredIds: [older], skippedIds: [] });
    expect(await allRows(world)).toEqual(before);
    expect(await undo(mia, String(runId))).toMatchObject({ restoredIds: [], skippedIds: [older] });
    expect(await upkeepRuns(mia)).toEqual([]);
    expect(await upkeepRuns(mia, true)).toMatchObject([told]);
    expect(await upkeepRuns(ada, true)).toEqual([]);
  });

  it('answers with the survivor by the questions that its sources helped with', async () => {
    const text = 'The cafeteria terminals are restarted after each firmware update';
    const [praised, newest] = [await share(ada, `${text}.`), await share(ada, `${text}!`)];
    const asked = 'When are the terminals of the cafeteria restarted?';
    await vote(ben, asked, praised);
    const contexts = async (): Promise<(number | undefined)[]> => {
      const { hits } = await retrieve(world.reader, asked, { limit: 20 });
      return [praised, newest].map((id) => hits.find(({ memory }) => memory.id === id)?.explanation.context);
    };
    const [before] = await contexts();
    expect(before).toBeGreaterThan(0);
    expect(await contexts()).toEqual([before, 0]);
    await consolidate(mia, DO);
    expect(await contexts()).toEqual([undefined, before]);
  });

  it('is undone with care: what people did since stays, what somebody took out is left alone', async () => {
    const texts = ['.', '!', '…'].map((mark) => `The warehouse label printer needs the vendor driver${mark}`);
    const ids: string[] = [];
    for (const [n, text] of texts.entries()) ids.push(await share(ada, text, { tags: [`label-${n}`] }));
    const [first = '', second = '', last = ''] = ids;
    const { runId } = await merge(mia, ids);
    expect((await read(ada, last)).tags).toEqual(['label-2', 'label-1', 'label-0']);
    await vote(ben, 'What does the label printer need?', last);
    const edited = {
      text: 'The warehouse label printer needs the vendor driver 4.2.',
      tags: ['label-2', 'label-1', 'label-0', 'mine'],
    };
    await edit(ada, last, 1, edited);
    // A maintainer takes one out: it leaves with its tag alone.
    await change(mia, RESTORE, { id: second });
    expect((await read(ada, last)).tags).toEqual(['label-2', 'label-0', 'mine']);
    expect(await undo(mia, runId)).toEqual({ runId, restoredIds: [first], skippedIds: [second] });
    expect(await read(ada, last)).toMatchObject({ text: edited.text, tags: ['label-2', 'mine'], revision: 2 });
    // His vote stays, at half its weight: it was for other words.
    expect(await statOf(last)).toMatchObject({ helpful: 0.5, helpful_voters: 0 });
    expect(await stateOf(first)).toBe('ACTIVE');
    const { keywords = '' } =
      (await query<{ keywords: string }>(world, 'select keywords::text from memory where id = $1', [last]))[0] ?? {};
    expect(keywords).not.toMatch(/label-[01]/);
  });

  it('ends by itself when a source or the survivor is forgotten or moved: nothing is told wider than before', async () => {
    const text = 'Returns are booked by the night shift of the warehouse';
    const [mine, other] = [await share(ada, `${text}.`, { tags: ['secret-word'] }), await share(ben, `${text}!`)];
    await merge(mia, [mine, other]);
    expect((await read(ben, other)).tags).toEqual(['secret-word']);
    await change(ada, FORGET, { id: mine });
    expect((await read(ben, other)).tags).toEqual([]);
    const found = async (word: string): Promise<string[]> =>
      (await query<{ id: string }>(world, `select id from memory where keywords @@ $1::tsquery`, [word])).map(
        ({ id }) => id,
      );
    expect(await found("'secret'")).toEqual([mine]);
    await change(ada, RESTORE, { id: mine });
    await merge(mia, [mine, other]);
    // Ben forgets what stands for both: his own goes, Ada's comes back.
    await change(ben, FORGET, { id: other });
    expect(await stateOf(mine)).toBe('ACTIVE');
    const [own, again] = [await share(ben, `${text} in June.`), await share(ben, `${text} in June!`)];
    await merge(mia, [own, again]);
    await change(ben, FORGET, { id: again });
    expect((await read(ben, own)).state).toBe('FORGOTTEN');
    await change(ben, RESTORE, { id: again });
    expect((await read(ben, own)).state).toBe('ARCHIVED');
  });
});

describe('what the guard and the authors keep apart', () => {
  it('is never merged by the guard’s word, in bulk or by hand, and of two people only by a maintainer who says so', async () => {
    const [short, long] = [await share(ada, 'The timeout is 30 s.'), await share(ada, 'The timeout is 60 s.')];
    const text = 'The intranet wiki is exported to the archive on Fridays';
    const [one, two] = [await share(ada, `${text}.`), await share(ben, `${text}!`)];
    await vote(ben, 'When is the wiki exported?', two);
    expect(membersOf((await review(ada, 'shop')).proposals)).toContainEqual([two, one]);
    expect(membersOf((await consolidate(mia, DO)).clusters).flat()).not.toContain(one);
    expect(await refusal(mia, MERGE, { ids: [short, long] })).toContain('guarded');
    expect(await stateOf(one)).toBe('ACTIVE');
    expect(membersOf((await consolidate(mia, { ...DO, acrossAuthors: true })).clusters)).toContainEqual([two, one]);
    expect([await stateOf(one), await stateOf(short), await stateOf(long)]).toEqual(['ARCHIVED', 'ACTIVE', 'ACTIVE']);
    // Ben praised his own text: half a voice, and nobody else's.
    expect(await statOf(two)).toMatchObject({ helpful: 0.5, helpful_others: 0 });
    const own = (await capture(ada, { text: `${text}.`, merge: 'NEVER' })).memory.id;
    const decided = await share(ada, `${text}.`, { kind: 'DECISION' });
    expect(await refusal(ada, MERGE, { ids: [own, decided] })).toContain('not-alike');
    const bad = [[one], [two, two], [two, one], [two, 'no id']];
    const refusals = await Promise.all(bad.map((ids) => refusal(mia, MERGE, { ids })));
    expect(refusals.map((said) => /BAD_USER_INPUT|not-active|NOT_FOUND/.exec(said)?.[0])).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      'not-active',
      'NOT_FOUND',
    ]);
  });

  it('is each person’s own in private: without a project, nobody else’s', async () => {
    const text = 'My notes about the coffee machine on the second floor';
    const ids = [];
    for (const mark of ['.', '!'])
      ids.push((await capture(world.reader, { text: text + mark, merge: 'NEVER' })).memory.id);
    const { runId, clusters } = await consolidate(world.reader, { execute: true });
    expect(membersOf(clusters)).toEqual([[...ids].reverse()]);
    expect(await query(world, 'select seq from audit where subject_id = $1', [runId])).toEqual([]);
    expect(await refusal(mia, UNDO, { id: runId })).toContain('NOT_FOUND');
    expect((await undo(world.reader, runId)).restoredIds).toEqual([ids[0]]);
  });
});

describe('cleanup', () => {
  it('archives what nobody needs and says why, keeps what is wanted, and is taken back to the last row', async () => {
    const useless = await share(ada, 'A note about the old coat hooks.');
    const kept = {
      pinned: await share(ada, 'A note about the new umbrella stand.'),
      forever: await share(ada, 'A note about the foundation stone.', { validity: 'FOREVER' }),
      decision: await share(ada, 'We decided to paint the gate green.', { kind: 'DECISION' }),
      todo: await share(ada, 'Oil the squeaking gate of the yard.', { kind: 'TODO' }),
      voted: await share(ada, 'The spare key of the bicycle shed hangs behind the door.'),
      young: await share(ada, 'The flower pots were moved to the terrace.'),
      imported: await share(ada, 'The old boiler was taken out before winter.'),
    };
    await change(mia, PIN, { id: kept.pinned, pinned: true });
    const all = await query<{ id: string }>(
      world,
      `select id from memory where scope = 'project' and state = 'active'`,
    );
    const old = all.map(({ id }) => id).filter((id) => id !== kept.young);
    await age(world, old);
    await query(world, 'update memory set state_since = now() where id = $1', [kept.imported]);
    await vote(ben, 'Where is the spare key of the bicycle shed?', kept.voted);
    const before = await allRows(world);
    const dry = await cleanup(ada, { project: 'shop' });
    const told = new Map(dry.memories.map(({ memory, reasons }) => [memory.id, reasons]));
    expect(told.get(useless)).toEqual(['AGE', 'UTILITY']);
    for (const id of Object.values(kept)) expect(told.has(id)).toBe(false);
    expect((await review(ada, 'shop')).stale.length).toBeGreaterThan(0);
    expect(await allRows(world)).toEqual(before);
    const { runId, memories } = await cleanup(mia, DO);
    expect(memories.map(({ memory }) => memory.id).sort()).toEqual([...told.keys()].sort());
    expect(await read(ada, useless)).toMatchObject({ state: 'ARCHIVED', stateReason: 'pruned: age, utility' });
    expect((await undo(mia, String(runId))).skippedIds).toEqual([]);
    expect(await allRows(world)).toEqual(before);
    expect((await cleanup(ada, { project: 'shop' })).memories).toEqual([]);
    for (const wrong of [{ minUtility: 1.1 }, { olderThanDays: 0 }, { after: 'x' }])
      expect(await refusal(mia, CLEANUP, { input: { ...DO, ...wrong } })).toContain('BAD_USER_INPUT');
  });
});

describe('at once', () => {
  it('consolidating twice, voting and capturing lose nothing and count everything once', async () => {
    const text = 'The forklift battery is charged in hall three overnight';
    const ids = [await share(ada, `${text}.`), await share(ada, `${text}!`)];
    const [source = '', survivor = ''] = ids;
    const shown = await retrieve(ben, 'Where is the forklift battery charged?', { limit: 20 });
    const votes = ids.map((id) =>
      ben.send('mutation ($input: FeedbackInput!) { feedback(input: $input) { recorded } }', {
        input: { memoryIds: [id], helpful: true, retrievalId: shown.retrievalId },
      }),
    );
    const [captured, ...runs] = await Promise.all([
      capture(ada, { project: 'shop', text: `${text}.`, tags: ['late'] }),
      consolidate(mia, DO),
      consolidate(mia, DO),
      ...votes,
    ]);
    await consolidate(mia, DO);
    expect(runs.slice(0, 2).filter((run) => (run as { runId: string | null }).runId !== null).length).toBeLessThan(2);
    const active = await query<{ id: string; tags: string[] }>(
      world,
      `select id, tags from memory where text like $1 and state = 'active'`,
      [`${text}%`],
    );
    expect(active.map(({ id }) => id)).toEqual([active.length === 1 ? active[0]?.id : '']);
    expect(active[0]?.tags).toEqual(['late']);
    expect([source, survivor, captured.memory.id]).toContain(active[0]?.id);
    expect(await statOf(active[0]?.id ?? '')).toMatchObject({ helpful: 1, helpful_voters: 1, asked_retrievals: 1 });
  });
});
