import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { advanceEncoderChange, type EncoderId, vectorIndexName } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReembedStarter, reembedRound } from '../../apps/worker/src/index.js';
import { capture, feedback, type MemoryWorld, openMemoryWorld, retrieve } from '../integration/memory-world.js';
import { asSuperuser } from '../support/cluster.js';
import { RefusedError } from '../support/graphql-client.js';
import { makeWorker, type NightWorld, openNightWorld } from './support/night-world.js';
import { NEW, OLD, type TwoEncoders, twoEncoders } from './support/two-encoders.js';

const FIGURES = 'figures { memories done parts setAside questions questionsDone questionsLost }';
const CHANGE = `id fromEncoder toEncoder status waitsFor ${FIGURES} switchedAt keepUntil finishedAt`;
const START = `mutation ($encoder: String!, $keepDays: Int!) {
  changeEncoder(input: { encoder: $encoder, keepDays: $keepDays }) { ${CHANGE} } }`;
const CANCEL = `mutation ($id: ID!) { cancelEncoderChange(id: $id) { ${CHANGE} } }`;
const SHOW = `{ encoders { encoders { encoder active ready dimensions } changes { ${CHANGE} } } }`;
const PREVIEW = `query ($encoder: String!) { previewEncoderChange(encoder: $encoder) {
  memories done parts setAside questions questionsDone questionsLost } }`;

interface Change {
  readonly id: string;
  readonly status: string;
  readonly waitsFor: string | null;
  readonly figures: Readonly<Record<string, number>>;
}

/** Each about something else, by words that no other has. */
const SUBJECTS = 40;
const textOf = (n: number): string =>
  `The service listens on the socket behind the gateway in the region for subject${n} owner${n} desk${n} room${n}.`;
const questionOf = (n: number): string => `Where? ${textOf(n)}`;

let encoders: TwoEncoders;
let world: MemoryWorld;
let nights: NightWorld;
let tenantId = '';
const ids: string[] = [];

const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await asSuperuser(world.api.database.adminUrl, (client) => client.query<Row>(sql, values))).rows;

const vectorsOf = async (encoder: EncoderId): Promise<number> =>
  (await query<{ n: number }>('select count(*)::int as n from embedding where encoder = $1', [encoder]))[0]?.n ?? 0;

const shown = async (): Promise<Change[]> =>
  (await world.owner.send<{ encoders: { changes: Change[] } }>(SHOW)).encoders.changes;

const latest = async (): Promise<Change> => {
  const [change] = await shown();
  if (change === undefined) throw new Error('no change');
  return change;
};

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (let looks = 0; looks < 1_200; looks += 1) {
    if (await isSo()) return;
    await wait(50);
  }
  throw new Error(`never: ${what}`);
};

const start = async (encoder: string, keepDays = 7): Promise<Change> =>
  (await world.owner.send<{ changeEncoder: Change }>(START, { encoder, keepDays })).changeEncoder;

/** The new encoder is there again, and what was put off meanwhile is due. */
const release = async (): Promise<void> => {
  encoders.release();
  await query(`update outbox set available_at = now() where done_at is null`);
};

/** Moves the change on as the workflow does, without an engine. */
const drive = (): Promise<void> =>
  until('the change has nothing left to do', async () => {
    const { doors } = world.api.database;
    const step = await doors.asWorker(tenantId, (tx) => advanceEncoderChange(tx, 10));
    return step === 'over' || (await latest()).waitsFor !== null;
  });

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof RefusedError ? error.code : error),
  );

/** Asks one of the questions after the other, until it is told to stop: each finds what answers it, and as much as there is. */
const askOn = (): { readonly stop: () => Promise<number> } => {
  let [asked, isOver] = [0, false];
  const asking = (async () => {
    for (; !isOver; asked += 1) {
      const n = asked % SUBJECTS;
      const answer = await retrieve(world.ada, questionOf(n), { limit: 5, mode: 'VECTOR' });
      const [best] = answer.hits;
      expect([n, answer.hits.length, best?.memory.id]).toEqual([n, 5, ids[n]]);
      expect(best?.explanation.cosine ?? 0).toBeGreaterThan(0.6);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await asking;
      return asked;
    },
  };
};

beforeAll(async () => {
  encoders = twoEncoders();
  world = await openMemoryWorld({ encoders: encoders.pool });
  nights = await openNightWorld(Promise.resolve(world.api.database));
  for (let n = 0; n < SUBJECTS; n += 1) {
    const { memory } = await capture(world.ada, { text: textOf(n), project: 'shop', merge: 'NEVER' });
    ids.push(memory.id);
  }
  await capture(world.ada, { text: 'A poison text about nothing in particular.', project: 'shop', merge: 'NEVER' });
  const long = Array.from({ length: 1_200 }, (_, n) => `long${n}`).join(' ');
  const { memory } = await capture(world.ben, { text: long, merge: 'NEVER' });
  await until('the long text is read', async () => {
    const rows = await query<{ state: string }>('select embedding_state as state from memory where id = $1', [
      memory.id,
    ]);
    return rows[0]?.state === 'ready';
  });
  const answer = await retrieve(world.ada, questionOf(0), { limit: 5 });
  await feedback(world.ada, { memoryIds: [ids[0]], helpful: true, retrievalId: answer.retrievalId });
  const [row] = await query<{ id: string }>(`select id from tenant where name = 'Acme'`);
  tenantId = row?.id ?? '';
});
afterAll(async () => {
  await nights.engine.teardown();
  await world.close();
});

describe('a change of encoder', () => {
  it('is an admin’s, says before what it would read, and is one at a time', async () => {
    expect(await refusal(world.ada.send(START, { encoder: NEW, keepDays: 7 }))).toBe('FORBIDDEN');
    expect(await refusal(world.ada.send(SHOW))).toBe('FORBIDDEN');
    expect(await refusal(start('bge-small-en-v1.5@ffffffffffff'))).toBe('BAD_USER_INPUT');
    expect(await refusal(start(OLD))).toBe('CONFLICT');
    expect(await refusal(start(NEW, 91))).toBe('BAD_USER_INPUT');
    const { previewEncoderChange } = await world.owner.send<{ previewEncoderChange: object }>(PREVIEW, {
      encoder: NEW,
    });
    expect(previewEncoderChange).toMatchObject({ memories: 42, done: 0, parts: 44, questions: 1, questionsLost: 0 });
    expect(await vectorsOf(NEW)).toBe(0);
  });

  it('that is cancelled leaves the old vectors untouched and takes the new ones away', async () => {
    const before = await query('select memory_id, part, ctid::text from embedding order by 1, 2');
    encoders.hold(12);
    const { id } = await start(NEW);
    expect(await refusal(start(NEW))).toBe('CONFLICT');
    const { doors } = world.api.database;
    await until('some are read', async () => {
      await doors.asWorker(tenantId, (tx) => advanceEncoderChange(tx, 10));
      return ((await latest()).figures['done'] ?? 0) >= 8;
    });
    await world.owner.send(CANCEL, { id });
    await release();
    await drive();
    expect(await latest()).toMatchObject({ id, status: 'CANCELLED' });
    expect(await query('select memory_id, part, ctid::text from embedding order by 1, 2')).toEqual(before);
    expect(await query(`select from outbox where kind = 'memory.reembed' and done_at is null`)).toEqual([]);
    for (const counts of encoders.reads.values()) counts.clear();
  });

  it('stands still while its tenant is suspended', async () => {
    const { id } = await start(NEW);
    await query(`update tenant set status = 'suspended' where id = $1`, [tenantId]);
    const { asSystem } = world.api.database.doors;
    expect(await asSystem.listWantedEncoderChanges(10)).toEqual([]);
    await query(`update tenant set status = 'active' where id = $1`, [tenantId]);
    expect(await asSystem.listWantedEncoderChanges(10)).toEqual([{ tenantId }]);
    await world.owner.send(CANCEL, { id });
    await drive();
    for (const counts of encoders.reads.values()) counts.clear();
  });

  it('H1: reads everything anew beside the old, each text once though its worker is stopped, and switches all at once while everybody asks on', async () => {
    const taskQueue = randomUUID();
    const begin = createReembedStarter(nights.engine.client, taskQueue);
    const { doors } = world.api.database;
    const handle = nights.engine.client.workflow.getHandle(`reembed:${tenantId}`);
    const asking = askOn();
    encoders.hold(15);
    await start(NEW);
    await reembedRound(doors, begin);
    const first = await makeWorker(nights, { taskQueue });
    await first.runUntil(until('some are read', async () => ((await latest()).figures['done'] ?? 0) >= 10));
    // Its encoder reads none of it, so nothing is kept but what is promised.
    const late = await capture(world.ada, { text: 'A late subject77 text.', project: 'shop', merge: 'NEVER' });
    await release();
    const second = await makeWorker(nights, { taskQueue });
    await second.runUntil(handle.result());
    const asked = await asking.stop();
    expect(asked).toBeGreaterThan(SUBJECTS);

    expect(await latest()).toMatchObject({
      status: 'KEPT',
      figures: { memories: 42, setAside: 1, questionsLost: 0 },
    });
    // Of the poison text three attempts at most (those on which the encoder was away count too), of every other part one.
    const counts = [...(encoders.reads.get(NEW) ?? [])].filter(([text]) => !text.startsWith('Where?'));
    expect(counts.filter(([text, count]) => count > 1 && !text.includes('poison'))).toEqual([]);
    expect([1, 2, 3]).toContain(counts.find(([text]) => text.includes('poison'))?.[1]);
    const lacking = await query<{ id: string }>(
      `select distinct memory_id as id from embedding e where encoder = $1 and not exists (
        select from embedding n where n.memory_id = e.memory_id and n.encoder = $2)`,
      [OLD, NEW],
    );
    expect(lacking).toHaveLength(1);
    expect((await retrieve(world.ada, 'A late subject77 text?', { mode: 'VECTOR' })).hits[0]?.memory.id).toBe(
      late.memory.id,
    );
    expect(await query('select count(*)::int as n from vote_question group by encoder')).toEqual([{ n: 1 }, { n: 1 }]);
    const audited = await query<{ action: string }>(
      `select action from audit where action like 'encoder.%' and tenant_id = $1 order by seq`,
      [tenantId],
    );
    expect(audited.map(({ action }) => action).slice(-2)).toEqual(['encoder.change-started', 'encoder.switched']);
  });

  it('draws neighbours by the new encoder alone', async () => {
    const strange = await query(
      `select l.kind, l.weight, w.weight as wanted from link l cross join lateral (
        select max(1 - (a.vector <=> b.vector)) as weight from embedding a join embedding b
          on b.encoder = a.encoder and b.memory_id = l.to_id where a.memory_id = l.from_id and a.encoder = $1) w
      where w.weight is not null and abs(l.weight - w.weight) > 1e-6`,
      [NEW],
    );
    expect(strange).toEqual([]);
  });

  it('back is cheap while the old vectors are kept, and what is not kept goes', async () => {
    for (const counts of encoders.reads.values()) counts.clear();
    const { memory } = await capture(world.ada, { text: 'Only new88 knows this.', project: 'shop', merge: 'NEVER' });
    expect(await refusal(world.owner.send(CANCEL, { id: (await latest()).id }))).toBe('CONFLICT');
    await start(OLD, 0);
    await drive();
    expect((await shown()).slice(0, 2)).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }]);
    const read = [...(encoders.reads.get(OLD)?.keys() ?? [])];
    expect(read.filter((text) => text.includes('new88'))).toHaveLength(1);
    expect(read.filter((text) => text.startsWith('The service'))).toEqual([]);
    expect(await vectorsOf(NEW)).toBe(0);
    const answer = await retrieve(world.ada, 'Only new88 knows this?', { mode: 'VECTOR' });
    expect(answer.hits[0]?.memory.id).toBe(memory.id);
  });

  it('waits for the index of a tenant that searches by one', async () => {
    const indexOf = (encoder: EncoderId): string => `
      create index ${vectorIndexName(tenantId, encoder)} on embedding_default
      using hnsw ((vector::halfvec(384)) halfvec_cosine_ops) where encoder = '${encoder}'`;
    await query(indexOf(OLD));
    await start(NEW, 0);
    await drive();
    expect(await latest()).toMatchObject({ status: 'SWITCHING', waitsFor: 'partition' });
    await query(indexOf(NEW));
    await drive();
    expect(await latest()).toMatchObject({ status: 'COMPLETED', waitsFor: null });
    expect(await vectorsOf(OLD)).toBe(0);
  });
});
