import { asId, type MemoryId, resolveSettings, type RetrievalId, type UserId } from '@tempera/core';
import { describe, expect, it } from 'vitest';
import { ENCODER_CARDS, encoderIdOf } from '../embedding/exports.js';
import { rankCandidates, type RankingContext } from './rank-candidates.js';
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
};

const candidate = (id: string, changes: Partial<SearchCandidate> = {}): SearchCandidate => ({
  id: asId<MemoryId>(id),
  ownerId: asId<UserId>('author'),
  projectId: null,
  scope: 'project',
  kind: 'episode',
  validity: 'none',
  isVerified: true,
  pinned: false,
  sessionId: null,
  endedAt: new Date('2026-06-01T00:00:00Z'),
  cosines: new Map([[encoder, near]]),
  bm25: 0,
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
  encoder,
  cosine: 1,
  isLike: true,
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
    const worded = candidate('words', { cosines: new Map(), bm25: 0.1 });
    expect(order(unlike, worded, candidate('best', { bm25: 9 }))).toEqual(['best', 'words']);
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

  it('is moved by votes for like questions, and tells the place without them', () => {
    const plain = candidate('a');
    const helped = candidate('b', { votes: [vote('one'), vote('two')], helpful: 2, helpfulOthers: 2 });
    const [first, second] = rankCandidates([plain, helped], context);
    expect(first).toMatchObject({ candidate: { id: 'b' }, place: 1, placeWithoutLearning: 2 });
    expect(second).toMatchObject({ candidate: { id: 'a' }, place: 2, placeWithoutLearning: 1 });
    expect(first?.context.people).toBe(2);
  });

  it('does not listen to an author who praises the own shared memory to others', () => {
    const praised = candidate('b', { votes: [vote('author')] });
    expect(rankCandidates([praised], context)[0]?.context.net).toBe(0);
    const own = { ...context, askerId: asId<UserId>('author') };
    expect(rankCandidates([praised], own)[0]?.context.net).toBeGreaterThan(0);
  });

  it('counts a vote once where two encoders read its question', () => {
    const other = encoderIdOf(ENCODER_CARDS['bge-small-zh-v1.5']);
    const both = candidate('b', { votes: [vote('one'), vote('one', { encoder: other })] });
    const cards = new Map([...context.cards, [other, ENCODER_CARDS['bge-small-zh-v1.5']]]);
    const settings = resolveSettings({ 'retrieval.context_cap': 5 });
    const [ranked] = rankCandidates([both], { ...context, cards, settings });
    expect(ranked?.context.helpful).toBe(1);
  });
});
