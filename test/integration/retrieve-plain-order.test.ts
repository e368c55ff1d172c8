import { type MemoryId, asId, selectDiverse, type TenantId } from '@tempera/core';
import { pairwiseCosines } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphQLClient } from '../support/graphql-client.js';
import { type MemoryWorld, openMemoryWorld } from './memory-world.js';

interface PlainHit {
  readonly memory: { readonly id: string };
  readonly explanation: {
    readonly relevance: number;
    readonly ownRelevance: number;
    readonly placeWithoutLearning: number;
  };
}

const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { mode hits { memory { id }
  explanation { relevance ownRelevance placeWithoutLearning } } } }`;
const CAPTURE_MANY = `mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { failed } }`;

const SUBJECTS = ['billing export', 'login page', 'search index', 'mail queue', 'image cache', 'release script'];
const EVENTS = [
  'broke after the upgrade and was rolled back',
  'is slow on Mondays because of the weekly report',
  'needs the new certificate before June',
  'was rewritten, and its tests moved to a folder of their own',
  'retries three times and then gives up quietly',
  'has no owner since the team was split',
];
const VALIDITIES = ['NONE', 'WORKAROUND', 'FOREVER', 'DEPENDENCY', 'PROJECT'];
const VERIFICATIONS = ['UNTESTED', 'ACROSS_PROJECTS', 'TESTS_PASS', 'STABLE'];
const QUESTIONS = SUBJECTS.flatMap((subject) => [
  `Why is the ${subject} slow?`,
  `${subject} certificate`,
  `Who owns the ${subject}?`,
]);

let world: MemoryWorld;
let author: GraphQLClient;
let tenantId: TenantId;

beforeAll(async () => {
  world = await openMemoryWorld();
  author = world.ada;
  tenantId = asId<TenantId>(
    (await author.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }')).me.tenant.id,
  );
  const texts = SUBJECTS.flatMap((subject) => EVENTS.map((event) => `The ${subject} ${event}.`));
  // Older than the shipped rule that lifts the last days. Alike in nothing that utility, recency and trust read: else what
  // leaked from them into the order would move all alike, and nothing.
  const inputs = texts.map((text, at) => ({
    ...{ text, project: 'shop', merge: 'NEVER', sessionKey: SUBJECTS[Math.floor(at / EVENTS.length)] },
    occurredAt: new Date(Date.now() - (10 + ((at * 7) % texts.length) * 10) * 86_400_000).toISOString(),
    validity: VALIDITIES[at % VALIDITIES.length],
    verification: VERIFICATIONS[at % VERIFICATIONS.length],
  }));
  for (let at = 0; at < inputs.length; at += 6) {
    const batch = { inputs: inputs.slice(at, at + 6) };
    expect((await author.send<{ captureMany: { failed: number } }>(CAPTURE_MANY, batch)).captureMany.failed).toBe(0);
  }
});
afterAll(() => world.close());

const ask = async (query: string, mode = 'VECTOR_AND_KEYWORD', limit = 50): Promise<PlainHit[]> => {
  const input = { query, mode, limit, project: 'shop' };
  const { retrieve } = await author.send<{ retrieve: { mode: string; hits: PlainHit[] } }>(RETRIEVE, { input });
  expect(retrieve.mode).toBe(mode);
  return retrieve.hits;
};

const idsOf = (hits: readonly PlainHit[]): string[] => hits.map(({ memory }) => memory.id);

const byRelevance = (hits: readonly PlainHit[]): PlainHit[] =>
  [...hits].sort(
    (one, other) =>
      other.explanation.relevance - one.explanation.relevance || (one.memory.id < other.memory.id ? -1 : 1),
  );

describe('with one author, and without votes, credit and outcomes', () => {
  it('an answer is in the order of relevance, query by query, and learning has moved nothing', async () => {
    for (const question of QUESTIONS) {
      const hits = await ask(question);
      expect(hits.length, question).toBeGreaterThan(3);
      expect(idsOf(hits), question).toEqual(idsOf(byRelevance(hits)));
      expect(hits.map(({ explanation }) => explanation.placeWithoutLearning)).toEqual(hits.map((_, at) => at + 1));
    }
  });

  it('an answer with variety is what MMR makes of relevance alone, query by query', async () => {
    const lambda = 0.7;
    const plain = new Map<string, PlainHit[]>();
    for (const question of QUESTIONS) plain.set(question, byRelevance(await ask(question)));
    await world.owner.send('mutation ($input: SetSettingInput!) { setSetting(input: $input) { key } }', {
      input: { key: 'retrieval.mmr_lambda', value: String(lambda) },
    });
    for (const [question, hits] of plain) {
      const ids = idsOf(hits).map((id) => asId<MemoryId>(id));
      const cosines = await world.api.database.doors.asText(tenantId, (tx) => pairwiseCosines(tx, tenantId, ids));
      const expected = selectDiverse(
        hits.map(({ memory, explanation }) => ({ id: asId<MemoryId>(memory.id), score: explanation.relevance })),
        (one, other) => cosines.get(one < other ? `${one} ${other}` : `${other} ${one}`) ?? 0,
        lambda,
        10,
      );
      expect(idsOf(await ask(question, 'VECTOR_AND_KEYWORD', 10)), question).toEqual(expected);
    }
  });
});

describe('a question', () => {
  it('can be put to meaning alone or to words alone', async () => {
    const query = 'image cache certificate';
    const [meaning, words] = [await ask(query, 'VECTOR'), await ask(query, 'KEYWORD')];
    expect(meaning.length).toBeGreaterThan(0);
    expect(words.length).toBeGreaterThan(0);
    expect(idsOf(words)).not.toEqual(idsOf(meaning));
  });
});
