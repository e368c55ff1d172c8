import {
  asId,
  type MemoryId,
  resolveSettings,
  type RetrievalId,
  type SettingOverrides,
  type UserId,
} from '@tempera/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENCODER_CARDS, encoderIdOf } from '../embedding/exports.js';
import { rankCandidates } from './rank-candidates.js';
import type { RankingContext } from './ranking-context.js';
import type { LikeQuestionVote, SearchCandidate } from './search-candidate.js';

const card = ENCODER_CARDS['bge-small-en-v1.5'];
const encoder = encoderIdOf(card);
const now = new Date('2026-11-30T00:00:00Z');
const asker = asId<UserId>('asker');
const near = card.thresholds.edge.cosine;
const far = card.thresholds.candidate.cosine - 0.1;

const context: RankingContext = {
  askerId: asker,
  now,
  cards: new Map([[encoder, card]]),
  defaultCard: card,
  settings: resolveSettings(),
  rules: [],
};

const candidate = (id: string, changes: Partial<SearchCandidate> = {}): SearchCandidate => ({
  id: asId<MemoryId>(id),
  ownerId: asId<UserId>('author'),
  projectId: null,
  scope: 'project',
  kind: 'episode',
  validity: 'none',
  verification: 'across_projects',
  pinned: false,
  tags: [],
  files: [],
  sessionId: null,
  endedAt: new Date('2026-06-01T00:00:00Z'),
  precededBy: null,
  terms: 12,
  cosines: new Map([[encoder, near]]),
  bm25: 0,
  covered: 0,
  votes: [],
  helpful: 0,
  unhelpful: 0,
  helpfulVoters: 0,
  helpfulOthers: 0,
  askedRetrievals: 0,
  credit: 0,
  propagated: 0,
  reached: 0,
  lastUsefulAt: new Date('2026-11-29T00:00:00Z'),
  ...changes,
});

const vote = (user: string, changes: Partial<LikeQuestionVote> = {}): LikeQuestionVote => ({
  userId: asId<UserId>(user),
  retrievalId: asId<RetrievalId>(`asked by ${user}`),
  helpful: true,
  at: new Date('2026-11-20T10:00:00Z'),
  encoder,
  cosine: 1,
  isLike: true,
  isOwn: false,
  ...changes,
});

const order = (...candidates: SearchCandidate[]): string[] =>
  rankCandidates(candidates, context).map(({ candidate: { id } }) => id);

describe('the order of candidates', () => {
  it('follows relevance where nothing was learned, and ties by id', () => {
    const nearer = candidate('c', { cosines: new Map([[encoder, near + 0.1]]) });
    expect(order(candidate('b'), nearer, candidate('a'))).toEqual(['c', 'a', 'b']);
  });

  it('puts pinned memories first and the newest before equals', () => {
    const fresh = candidate('z', { endedAt: new Date('2026-11-29T00:00:00Z') });
    const pinned = candidate('y', { pinned: true, cosines: new Map([[encoder, near - 0.05]]) });
    expect(order(candidate('a'), fresh, pinned)).toEqual(['y', 'z', 'a']);
  });

  it('leaves out what is less relevant than the card asks, but not what is known by its words alone', () => {
    const unlike = candidate('far', { cosines: new Map([[encoder, far]]) });
    const worded = candidate('words', { cosines: new Map(), bm25: 0.1, covered: 0.1 });
    expect(order(unlike, worded, candidate('best', { bm25: 9, covered: 1 }))).toEqual(['best', 'words']);
  });

  it('brings up a remark by what it follows, below that, and says what it is by itself', () => {
    const asked = candidate('z', { cosines: new Map([[encoder, near + 0.1]]) });
    const remark = candidate('a', { cosines: new Map([[encoder, far]]), precededBy: asked.id, terms: 3 });
    const second = candidate('b', { cosines: new Map([[encoder, far]]), precededBy: remark.id, terms: 3 });
    const essay = candidate('c', { cosines: new Map([[encoder, far]]), precededBy: asked.id, terms: 3_000 });
    const ranked = rankCandidates([essay, second, remark, asked], context);
    expect(ranked.map(({ candidate: { id } }) => id)).toEqual(['z', 'a', 'b']);
    expect(ranked[1]?.ownRelevance).toBeLessThan(ranked[1]?.parts.relevance ?? 0);
    expect(ranked[0]?.ownRelevance).toBe(ranked[0]?.parts.relevance);
  });

  it('leaves out what is faint beside the best', () => {
    const faint = candidate('faint', { cosines: new Map([[encoder, card.thresholds.candidate.cosine + 0.01]]) });
    expect(order(faint)).toEqual(['faint']);
    const best = candidate('best', { cosines: new Map([[encoder, 0.95]]), bm25: 9, covered: 1 });
    expect(order(faint, best)).toEqual(['best']);
  });

  it('keeps what helped with a very like question, however far its text lies', () => {
    const helped = candidate('far', { cosines: new Map([[encoder, far]]), votes: [vote('someone')] });
    expect(order(helped)).toEqual(['far']);
    const unlike = candidate('far', {
      cosines: new Map([[encoder, far]]),
      votes: [vote('someone', { isLike: false })],
    });
    expect(order(unlike)).toEqual([]);
  });

  it('has no place for a pinned memory that is not near, nor a lead for one that shares but a weak word', () => {
    const unlike = candidate('far', { pinned: true, cosines: new Map([[encoder, far]]) });
    const worded = candidate('words', { pinned: true, cosines: new Map(), bm25: 0.1, covered: 0.1 });
    const best = candidate('best', { bm25: 9, covered: 0.6 });
    expect(order(unlike, worded, best)).toEqual(['best', 'words']);
  });

  it('does not take one weak word for a full match, though no candidate has a better one', () => {
    const common = candidate('common', { cosines: new Map([[encoder, far]]), bm25: 1, covered: 0.05 });
    expect(order(common)).toEqual([]);
    expect(order({ ...common, covered: 1 })).toEqual(['common']);
  });

  it('keeps to nobody the lift of an author who praised the own shared memory', () => {
    const praised = candidate('far', { cosines: new Map([[encoder, far]]), votes: [vote('author', { isOwn: true })] });
    expect(order(praised)).toEqual([]);
  });

  it('is moved by votes for like questions, and tells the place without them', () => {
    const plain = candidate('a');
    const helped = candidate('b', { votes: [vote('one'), vote('two')], helpful: 2, helpfulOthers: 2 });
    const [first, second] = rankCandidates([plain, helped], context);
    expect(first).toMatchObject({ candidate: { id: 'b' }, place: 1, placeWithoutLearning: 2 });
    expect(second).toMatchObject({ candidate: { id: 'a' }, place: 2, placeWithoutLearning: 1 });
    expect(first?.context.people).toBe(2);
  });

  it('does not listen to an author who praises the own shared memory to others', () => {
    const praised = candidate('b', { votes: [vote('author', { isOwn: true })] });
    expect(rankCandidates([praised], context)[0]?.context.net).toBe(0);
    const own = { ...context, askerId: asId<UserId>('author') };
    expect(rankCandidates([praised], own)[0]?.context.net).toBeGreaterThan(0);
  });

  it('counts a vote once where two encoders read its question', () => {
    const other = encoderIdOf(ENCODER_CARDS['bge-small-zh-v1.5']);
    const both = candidate('b', { votes: [vote('one'), vote('one', { encoder: other })] });
    const cards = new Map([...context.cards, [other, ENCODER_CARDS['bge-small-zh-v1.5']]]);
    const settings = resolveSettings({ 'retrieval.context_cap': 5 });
    const praise = (one: SearchCandidate): number | undefined =>
      rankCandidates([one], { ...context, cards, settings })[0]?.context.helpful;
    expect(praise(both)).toBe(praise(candidate('b', { votes: [vote('one')] })));
  });

  it('believes those whom others bear out, and not who contradicts everybody', () => {
    const says = (helpful: boolean): LikeQuestionVote[] =>
      ['one', 'two', 'three'].map((user) => vote(user, { helpful }));
    const rows = (foe: boolean): SearchCandidate[] =>
      [...'abcdefghijklmnop'].map((id) =>
        candidate(id, { votes: [...says(id === 'e'), ...(foe ? [vote('foe', { helpful: id !== 'e' })] : [])] }),
      );
    const netOfBest = (foe: boolean): number => rankCandidates(rows(foe), context)[0]?.context.net ?? 0;
    expect(rankCandidates(rows(true), context)[0]?.candidate.id).toBe('e');
    expect(netOfBest(true)).toBeGreaterThan(0.6 * netOfBest(false));
    const alone = rankCandidates([candidate('a', { votes: [vote('one')] })], context)[0]?.context.net ?? 0;
    expect(netOfBest(false)).toBeGreaterThan(4 * alone);
  });

  it('hears of one person a day the vote whose question is nearest, of each day another', () => {
    const reworded = (day: number, cosine: number): LikeQuestionVote =>
      vote('one', {
        retrievalId: asId<RetrievalId>(`day ${day} at ${cosine}`),
        at: new Date(Date.UTC(2026, 10, day)),
        cosine,
      });
    const settings = resolveSettings({ 'retrieval.context_cap': 5 });
    const praise = (votes: LikeQuestionVote[]): number | undefined =>
      rankCandidates([candidate('b', { votes })], { ...context, settings })[0]?.context.helpful;
    const once = praise([reworded(1, 0.9)]) ?? 0;
    expect(once).toBeGreaterThan(0);
    expect(praise([reworded(1, 0.9), reworded(1, 0.85), reworded(1, 0.88)])).toBe(once);
    expect(praise([reworded(1, 0.9), reworded(2, 0.9)])).toBeCloseTo(2 * once, 12);
  });

  it('is never turned against a vote by that vote, near-equal questions and two words a day included', () => {
    const { tau } = card.thresholds;
    const anyVote = fc
      .record({
        user: fc.constantFrom('one', 'two'),
        id: fc.nat({ max: 1_000_000 }),
        hour: fc.nat({ max: 72 }),
        helpful: fc.boolean(),
        cosine: fc.double({ min: tau.cosine, max: 1, noNaN: true }),
      })
      .map(({ user, id, hour, helpful, cosine }) =>
        vote(user, {
          retrievalId: asId<RetrievalId>(String(id)),
          at: new Date(Date.UTC(2026, 10, 1, hour)),
          helpful,
          cosine,
          isLike: cosine >= card.thresholds.likeQuestion.cosine,
          isOwn: false,
        }),
      );
    const scoreWith = (votes: readonly LikeQuestionVote[]): number =>
      rankCandidates([candidate('b', { votes })], context)[0]?.score ?? 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(anyVote, { selector: ({ retrievalId }) => retrievalId, minLength: 1 }),
        ([new_, ...old]) => {
          if (new_ === undefined) return;
          const change = scoreWith([...old, new_]) - scoreWith(old);
          if (new_.helpful) expect(change).toBeGreaterThanOrEqual(-1e-12);
          else expect(change).toBeLessThanOrEqual(1e-12);
        },
      ),
    );
  });
});

describe('a changed setting', () => {
  const rows = [
    candidate('a', {
      helpful: 2,
      helpfulOthers: 2,
      votes: [vote('ben'), vote('cleo', { cosine: 0.95 }), vote('dan', { helpful: false, cosine: 0.97 })],
    }),
    candidate('b', { unhelpful: 1, cosines: new Map([[encoder, near - 0.02]]) }),
    // The same person twice, so that a cap has something to cap.
    candidate('c', { votes: [vote('eve'), vote('eve', { retrievalId: asId<RetrievalId>('again') })] }),
  ];
  const rank = (overrides: SettingOverrides): unknown =>
    rankCandidates(rows, { ...context, settings: resolveSettings(overrides) }).map(({ candidate: { id }, score }) => [
      id,
      score,
    ]);

  it.each<[SettingOverrides]>([
    [{ 'retrieval.similarity_weight': 0.9 }],
    [{ 'retrieval.utility_weight': 0.1 }],
    [{ 'retrieval.recency_weight': 0.5 }],
    [{ 'retrieval.ranking': 'linear' }],
    [{ 'retrieval.max_boost': 0.5 }],
    [{ 'retrieval.context_boost': 0 }],
    [{ 'retrieval.context_cap': 0.1 }],
    [{ 'retrieval.context_nu': 0 }],
    [{ 'retrieval.context_lambda': 30 }],
    [{ 'retrieval.min_similarity': 1 }],
    [{ 'bellman.decay_rate': 0.5 }],
  ])('%j changes the order or the scores', (overrides) => expect(rank(overrides)).not.toEqual(rank({})));

  it('of the half-life bears where newness is weighed', () => {
    const weighed = { 'retrieval.recency_weight': 0.5 } as const;
    expect(rank({ ...weighed, 'retrieval.recency_halflife_days': 300 })).not.toEqual(rank(weighed));
  });
});
