import { asId, type TenantId } from '@tempera/core';
import {
  bm25,
  findCandidates,
  insertMemory,
  type Keywords,
  questionTerms,
  type SearchCandidate,
  toKeywords,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { newMemory } from '../support/new-memory.js';
import { makeOperator, makeTenant, type Person } from '../support/people.js';

let database: TestDatabase;
let author: Person;

beforeAll(async () => {
  database = await openTestDatabase();
  author = (await makeTenant(database.doors, await makeOperator(database))).owner;
});
afterAll(() => database.close());

const NOW = new Date('2026-11-30T12:00:00Z');

const store = async (texts: readonly string[]): Promise<string[]> =>
  database.doors.asTenant(author, async (tx) => {
    const ids: string[] = [];
    for (const text of texts) ids.push(await insertMemory(tx, newMemory(author, text, NOW)));
    return ids;
  });

/** The keyword leg alone: no encoder read the question. */
const search = (question: string, perLeg = 200): Promise<SearchCandidate[]> =>
  database.doors.asTenant(author, (tx) =>
    findCandidates(tx, {
      tenantId: asId<TenantId>(author.tenantId),
      question: [],
      terms: questionTerms(toKeywords(question)),
      filter: {},
      now: NOW,
      perLeg,
    }),
  );

/** BM25 by the function of search/text, over all documents. */
const expectedScore = (terms: readonly string[], document: Keywords, corpus: readonly Keywords[]): number => {
  const averageLength = corpus.reduce((sum, { length }) => sum + length, 0) / corpus.length;
  return terms.reduce((sum, term) => {
    const documentFrequency = corpus.filter((other) => other.terms.has(term)).length;
    const tf = document.terms.get(term) ?? 0;
    return sum + bm25({ tf, length: document.length, averageLength, documentFrequency, documents: corpus.length });
  }, 0);
};

describe('the keyword leg in the database', () => {
  it('scores as BM25 does, for words that occur once or a hundred times', async () => {
    const repeated = [1, 2, 3, 5, 8, 13, 40, 100].map((times) => `${'kestrel '.repeat(times)}over field ${times}`);
    const texts = [...repeated, 'A falcon over the field.', 'Nothing of the kind.', 'kestrel falcon kestrel'];
    const ids = await store(texts);
    const found = new Map(
      (await search('kestrel falcon field')).map((candidate) => [candidate.id as string, candidate.bm25]),
    );
    const corpus = texts.map(toKeywords);
    const terms = questionTerms(toKeywords('kestrel falcon field'));
    for (const [index, document] of corpus.entries()) {
      expect(found.get(ids[index] ?? '') ?? 0).toBeCloseTo(expectedScore(terms, document, corpus), 4);
    }
  });

  it.each([
    ['two Chinese characters', '缓存', '登录失败时要先清空缓存再重试。'],
    ['a Chinese word inside a sentence', '身份验证', '移动端的身份验证在升级之后失败了。'],
    ['a Japanese word', 'しりとり', '週末は子供としりとりで遊んだ。'],
    ['a Korean word', '끝말잇기', '아이들과 끝말잇기 놀이를 했다.'],
    ['a piece of an identifier in a Chinese sentence', 'itgc', '重跑gen-itgc后报告才会更新。'],
    ['the words of an identifier', 'order service', 'OrderServiceFactory caches the tenant.'],
    ['a path by its file', 'pipeline.yml', 'See deploy/ci/pipeline.yml for the steps.'],
    ['an error code', 'EADDRINUSE', 'The dev server dies with EADDRINUSE when the old one still runs.'],
  ])('G1: finds %s first', async (_, question, text) => {
    const [id] = await store([text, `${text.slice(0, 3)} 其他 other 別の 다른 noise`]);
    const found = (await search(question)).sort((one, other) => other.bm25 - one.bm25);
    expect(found[0]?.id).toBe(id);
  });

  it('brings no more than its share of candidates, the best ones', async () => {
    await store(Array.from({ length: 12 }, (_, index) => `wombat ${'padding '.repeat(index)}`));
    const all = await search('wombat');
    const few = await search('wombat', 3);
    const best = all.map((candidate) => candidate.bm25).sort((one, other) => other - one);
    expect(few.map((candidate) => candidate.bm25).sort((one, other) => other - one)).toEqual(best.slice(0, 3));
  });
});
