import { randomUUID } from 'node:crypto';
import { createDoors, createLogger, EncoderPool, EncoderThread } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../apps/api/src/create-app.js';
import { testPoolSize } from '../support/database.js';
import { GraphQLClient, RefusedError } from '../support/graphql-client.js';
import { change, type EditWorld, openEditWorld, REFUTE, refusal, refusedWith, RESTORE } from './edit-world.js';
import { capture, type CapturedView, feedback, readMemory, retrieve } from './memory-world.js';

/** Complaints about other products, as tests (test/cases.json): what the service does instead, over its whole height. */
let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

/**
 * Another process of the API on the same database, as far as one process can be two: doors, queue and app of its own.
 * Without encoders, which would only be loaded twice: what it takes in is embedded by the first.
 */
const startReplica = async (): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const { settings, ring, database } = world.api;
  const { app: appUrl, text: textUrl, operator: operatorUrl } = database.urls;
  const doors = createDoors({ appUrl, textUrl, operatorUrl, poolSize: testPoolSize });
  const now = (): number => performance.now();
  const host = new EncoderThread({ source: { kind: 'folder', path: 'none' } });
  const encoders = new EncoderPool({ host, now });
  const logger = createLogger({ name: 'replica', level: 'error' });
  const app = await createApp({ settings, doors, encoders, clock: { now: () => new Date() }, logger, keys: ring });
  await app.listen(0, '127.0.0.1');
  const close = async (): Promise<void> => {
    await app.close();
    await encoders.dispose();
    await doors.close();
  };
  return { url: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close };
};

/** As a client does: what was given up on a busy machine is sent again, with the same key. */
const captureSurely = async (
  person: GraphQLClient,
  input: Readonly<Record<string, unknown>>,
): Promise<CapturedView> => {
  const keyed = { ...input, idempotencyKey: randomUUID() };
  for (;;) {
    try {
      return await capture(person, keyed);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'UNAVAILABLE') throw error;
    }
  }
};

const totalOf = async (person: GraphQLClient, filter: string): Promise<number> =>
  (
    await person.send<{ memories: { totalCount: number } }>(
      `query { memories(first: 1, filter: { ${filter} }) { totalCount } }`,
    )
  ).memories.totalCount;

const answerTo = async (person: GraphQLClient, query: string): Promise<string[]> =>
  (await retrieve(person, query, { limit: 20 })).hits.map(({ memory }) => memory.id);

const decide = (person: GraphQLClient, text: string, more: object = {}): Promise<CapturedView> =>
  capture(person, { text, kind: 'DECISION', project: 'shop', ...more });

describe('writing at once', () => {
  it('A13: of two replicas, twenty captures each, forty stay, each as it was written', async () => {
    const replica = await startReplica();
    try {
      const beside = new GraphQLClient(replica.url, () => world.ada.token());
      const before = await totalOf(world.ada, 'mine: true');
      const texts = Array.from({ length: 40 }, (_, n) => `Replica note ${n}: shelf ${n * 7} holds crate ${n * 11}.`);
      const captured = await Promise.all(
        texts.map((text, n) => captureSurely(n % 2 === 0 ? world.ada : beside, { text, sessionKey: `shelf ${n % 4}` })),
      );
      expect(captured.map(({ memory }) => memory.text)).toEqual(texts);
      expect(new Set(captured.map(({ memory }) => memory.id)).size).toBe(40);
      expect(new Set(captured.map(({ sessionId }) => sessionId)).size).toBe(4);
      expect(await totalOf(beside, 'mine: true')).toBe(before + 40);
      for (const { memory } of captured.slice(0, 4)) {
        expect((await readMemory(beside, memory.id)).text).toBe(memory.text);
      }
    } finally {
      await replica.close();
    }
  });

  it('A2: ten paraphrases sent at once from one prompt are one memory with one witness; another number, prompt or person is not', async () => {
    const ways = [
      'The heron pump must be primed by hand before it starts.',
      'Before starting it, prime the heron pump by hand.',
      'Prime the heron pump manually before you start it.',
      'Heron pump: manual priming is required before start.',
      'Starting the heron pump requires priming it by hand first.',
      'You have to prime the heron pump by hand before starting.',
      'The heron pump needs priming by hand ahead of each start.',
      'Hand-prime the heron pump, then start it.',
      'First prime the heron pump by hand and then start it.',
      'To start the heron pump, first prime it manually.',
    ];
    const prompt = { project: 'shop', sessionKey: 'one', promptKey: '7' };
    const captured = await Promise.all(ways.map((text) => capture(world.ben, { ...prompt, text })));
    const [id = ''] = new Set(captured.map(({ memory }) => memory.id));
    expect(captured.map(({ memory }) => memory.id)).toEqual(ways.map(() => id));
    expect(await totalOf(world.ben, 'mine: true')).toBe(1);
    expect((await readMemory(world.ben, id)).proofCount).toBe(1);
    const { memory } = await world.ben.send<{ memory: { history: { text: string }[] } }>(
      'query ($id: ID!) { memory(id: $id) { history { text } } }',
      { id },
    );
    expect(memory.history.map(({ text }) => text).sort()).toEqual([...ways].sort());

    const present = (await readMemory(world.ben, id)).text;
    const numbered = await capture(world.ben, { ...prompt, text: `${present} It takes 4 strokes.` });
    const other = await capture(world.ben, { ...prompt, text: `${present} It takes 9 strokes.` });
    expect([numbered.memory.id, other.memory.id]).not.toContain(id);
    expect(other.conflicts.map((link) => link.memory.id)).toContain(numbered.memory.id);
    expect([...numbered.near, ...numbered.conflicts].map((link) => link.memory.id)).toContain(id);
    const unrelated = await capture(world.ben, { ...prompt, text: 'Invoices are archived by the ledger team.' });
    const later = await capture(world.ben, {
      ...prompt,
      promptKey: '8',
      text: 'Priming the heron pump by hand is what comes first.',
    });
    const elsewhere = await capture(world.ben, { ...prompt, scope: 'PRIVATE', text: ways[1] });
    const others = await capture(world.ada, { ...prompt, text: ways[1] });
    const all = [numbered, other, unrelated, later, elsewhere, others].map((one) => one.memory.id);
    expect(new Set([id, ...all]).size).toBe(7);
    const input = { ...prompt, promptKey: 'x'.repeat(101), text: 'A pump.' };
    const refused = await world.ben.refused('mutation ($input: CaptureInput!) { capture(input: $input) { status } }', {
      input,
    });
    expect([refused.code, refused.message]).toEqual(['BAD_USER_INPUT', expect.stringContaining('promptKey')]);
  });
});

describe('what a capture is told', () => {
  it('B6: it is found by the next search, which names the scope it went to', async () => {
    const { memory } = await capture(world.ada, {
      text: 'The osprey build cache lives on node seven.',
      project: 'shop',
    });
    const answer = await retrieve(world.ada, 'Where does the osprey build cache live?');
    expect(answer.hits[0]?.memory).toMatchObject({ id: memory.id, text: memory.text });
    expect(answer).toMatchObject({ emptyReason: null });
    expect(answer.searchedScopes.join(' ')).toContain('shop');
  });

  it('B10: success means that it can be read by its id; a refusal, that nothing was stored', async () => {
    const { memory } = await capture(world.ada, { text: 'The plover gate opens at six.' });
    expect((await readMemory(world.ada, memory.id)).text).toBe('The plover gate opens at six.');
    const before = await totalOf(world.ada, 'mine: true');
    const input = { text: 'The plover gate opens at seven.', tags: 'gate, hours', outcome: 'maybe' };
    const refused = await world.ada.refused('mutation ($input: CaptureInput!) { capture(input: $input) { status } }', {
      input,
    });
    expect(refused.code).toBe('BAD_USER_INPUT');
    expect(await totalOf(world.ada, 'mine: true')).toBe(before);
  });

  it('B5: every hit has its text, and an id that reading and voting take', async () => {
    const { retrievalId, hits } = await retrieve(world.ada, 'osprey plover replica shelf', { limit: 20 });
    expect(hits.length).toBeGreaterThan(2);
    for (const { memory } of hits) {
      expect(memory.text.trim()).not.toBe('');
      expect((await readMemory(world.ada, memory.id)).text).toBe(memory.text);
    }
    const memoryIds = hits.map(({ memory }) => memory.id);
    const { recorded, rejected } = await feedback(world.ada, { memoryIds, helpful: true, retrievalId });
    expect([[...recorded].sort(), rejected]).toEqual([[...memoryIds].sort(), []]);
  });
});

describe('what changes and what contradicts', () => {
  it('F1: of two decisions on one subject an answer holds the newer, and of a moment before it the older, linked and dated', async () => {
    const older = await decide(world.mia, 'Model serving of the shop runs on vLLM with 2 replicas.');
    const between = new Date().toISOString();
    const newer = await decide(world.mia, 'Model serving of the shop runs on SGLang with 2 replicas.', {
      supersedes: older.memory.id,
    });
    const found = await answerTo(world.ben, 'What does model serving run on?');
    expect(found).toContain(newer.memory.id);
    expect(found).not.toContain(older.memory.id);
    const { memory } = await world.ben.send<{ memory: { supersededBy: string; validTo: string; text: string } }>(
      'query ($id: ID!) { memory(id: $id) { supersededBy validTo text } }',
      { id: older.memory.id },
    );
    expect(memory).toMatchObject({ supersededBy: newer.memory.id, text: older.memory.text });
    expect(memory.validTo > between).toBe(true);
    const then = await retrieve(world.ben, 'What does model serving run on?', { asOf: between });
    expect(then.hits.map((hit) => hit.memory.id)).toContain(older.memory.id);
    expect(then.hits.map((hit) => hit.memory.id)).not.toContain(newer.memory.id);
  });

  it('F2: a name that was changed is one memory for those who ask, and both, labelled, for those who look back', async () => {
    const old = await decide(world.mia, 'The billing service is called Ledger.');
    const now = await decide(world.mia, 'The billing service is called Folio.', { supersedes: old.memory.id });
    const asked = await answerTo(world.ben, 'What is the billing service called?');
    expect(asked.filter((id) => [old.memory.id, now.memory.id].includes(id))).toEqual([now.memory.id]);
    expect(await totalOf(world.ben, 'superseded: true')).toBeGreaterThanOrEqual(1);
    const { memory } = await world.ben.send<{ memory: { related: { kind: string; memory: { id: string } }[] } }>(
      'query ($id: ID!) { memory(id: $id) { related { kind memory { id } } } }',
      { id: now.memory.id },
    );
    const label = memory.related.find((one) => one.memory.id === old.memory.id)?.kind;
    expect(label).toBe('SUPERSEDES');
  });

  it('F3: two facts about one person do not retire each other', async () => {
    const one = await decide(world.mia, 'Ana leads engineering at Acme.');
    const other = await decide(world.mia, "Ana administers Acme's GitHub org.");
    expect(other).toMatchObject({ status: 'CREATED' });
    const found = await answerTo(world.ben, 'What does Ana do at Acme?');
    expect(found).toEqual(expect.arrayContaining([one.memory.id, other.memory.id]));
  });

  it('F7: what two people say against each other stays, both ways, and is listed for who maintains the project', async () => {
    const [occurredAt, later] = ['2026-10-05T09:00:00.000Z', '2026-10-05T15:00:00.000Z'];
    const one = await decide(world.ada, 'The warehouse export is compressed with 12 threads.', { occurredAt });
    const other = await decide(world.ben, 'The warehouse export is compressed with 48 threads.', { occurredAt: later });
    expect(other.status).toBe('CREATED');
    expect(other.conflicts.map(({ memory }) => memory.id)).toEqual([one.memory.id]);
    expect(other.conflicts[0]?.differences.join(' ')).toContain('12');
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const { memory } = await world.mia.send<{ memory: { related: { kind: string; memory: { id: string } }[] } }>(
        'query ($id: ID!) { memory(id: $id) { related { kind memory { id } } } }',
        { id: from.memory.id },
      );
      expect(memory.related.find((link) => link.memory.id === to.memory.id)?.kind).toBe('CONFLICT');
    }
    const { conflicts } = await world.mia.send<{
      conflicts: { nodes: { first: { id: string }; second: { id: string } }[] };
    }>('query { conflicts(first: 50, project: "shop") { nodes { first { id } second { id } resolution } } }');
    expect(conflicts.nodes.map(({ first, second }) => [first.id, second.id])).toContainEqual([
      one.memory.id,
      other.memory.id,
    ]);
    const found = await answerTo(world.mia, 'How many threads compress the warehouse export?');
    expect(found).toEqual(expect.arrayContaining([one.memory.id, other.memory.id]));
  });

  it('F5: a claim that was refuted is in no answer, hint or brief, labelled for who asks for such, and was known before', async () => {
    const task = 'why the gannet importer stalls';
    const claim = await decide(world.ada, 'The gannet importer stalls because the disk is full.', {
      sessionKey: 'hunt',
    });
    const between = new Date().toISOString();
    const proof = await capture(world.ada, {
      ...{ text: 'The gannet importer stalls on a lock of the price table.', kind: 'CORRECTION' },
      ...{ project: 'shop', sessionKey: 'hunt' },
    });
    const secret = await capture(world.cleo, 'The gannet importer is a secret of Cleo.');
    const [id, by] = [claim.memory.id, proof.memory.id];
    const input = { id, by, reason: 'the disk was half empty' };
    expect(await refusedWith(change(world.ben, REFUTE, input))).toBe('FORBIDDEN not-yours');
    const missing = { ...input, by: '00000000-0000-4000-8000-000000000009' };
    expect(await refusal(world.mia, REFUTE, { ...input, by: secret.memory.id })).toBe(
      await refusal(world.mia, REFUTE, missing),
    );
    expect(await refusedWith(change(world.mia, REFUTE, { ...input, by: id }))).toBe('BAD_USER_INPUT refutes-itself');
    const refuted = await change(world.mia, REFUTE, input);
    expect(refuted).toMatchObject({ state: 'REFUTED', stateReason: input.reason });
    expect(await change(world.ada, REFUTE, input)).toMatchObject({ state: 'REFUTED', stateReason: input.reason });

    for (const kind of ['ASKED', 'INJECTED']) {
      const found = (await retrieve(world.ben, task, { kind, limit: 20 })).hits.map((hit) => hit.memory.id);
      expect([found.includes(id), found.includes(by)]).toEqual([false, true]);
    }
    const brief = 'query ($input: BriefInput!) { brief(input: $input) { items { memory { id } } } }';
    const told = JSON.stringify(await world.ben.send(brief, { input: { task, project: 'shop' } }));
    expect([told.includes(id), told.includes(by)]).toEqual([false, true]);
    const mates = (await retrieve(world.ben, task)).hits.flatMap(({ sessionMates }) =>
      sessionMates.map((mate) => mate.id),
    );
    expect(mates).not.toContain(id);

    const asked = await retrieve(world.ben, task, { refuted: true });
    expect(asked.hits.map((hit) => hit.memory.id)).toEqual([id]);
    for (const filter of ['refuted: true', 'state: REFUTED']) expect(await totalOf(world.ben, filter)).toBe(1);
    const label = `query ($id: ID!) { memory(id: $id) { state stateReason refutedBy related { kind memory { id } } } }`;
    const { memory } = await world.ben.send<{ memory: { related: object[] } }>(label, { id });
    expect(memory).toMatchObject({ state: 'REFUTED', stateReason: input.reason, refutedBy: by });
    expect(memory.related).toContainEqual({ kind: 'REFUTED_BY', memory: { id: by } });
    const other = await world.ben.send<{ memory: { related: object[] } }>(label, { id: by });
    expect(other.memory.related).toContainEqual({ kind: 'REFUTES', memory: { id } });
    const then = await retrieve(world.ben, task, { asOf: between });
    expect(then.hits.map((hit) => hit.memory.id)).toContain(id);

    const before = await totalOf(world.ben, 'mine: true');
    const retold = { text: ` ${claim.memory.text}`, project: 'shop', idempotencyKey: randomUUID() };
    for (const _ of [1, 2]) {
      expect(await capture(world.ben, retold)).toMatchObject({ status: 'REPEATED', memory: { id } });
    }
    expect(await totalOf(world.ben, 'mine: true')).toBe(before);
    expect(await capture(world.ben, { ...retold, scope: 'PRIVATE', idempotencyKey: null })).toMatchObject({
      status: 'CREATED',
    });

    // What a maintainer said of it, a maintainer takes back.
    expect(await refusedWith(change(world.ada, RESTORE, { id }))).toBe('FORBIDDEN maintainers-restore');
    await change(world.mia, RESTORE, { id });
    const again = await world.ben.send<{ memory: { related: object[] } }>(label, { id });
    expect(again.memory).toMatchObject({ state: 'ACTIVE', stateReason: null, refutedBy: null });
    expect(again.memory.related).toContainEqual({ kind: 'CONFLICT', memory: { id: by } });
    expect(await answerTo(world.ben, task)).toContain(id);
  });
});
