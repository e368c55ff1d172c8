/** Golden cases of whole decisions, each made of several rules: relevance, score, credit, merging, sessions. */
import { creditOfRank, creditReceivers, type EpisodeSpan } from './credit.js';
import { mayMerge } from './conflict-guard.js';
import type { GoldenInput } from './golden-input.js';
import {
  asId,
  type GroupId,
  type Id,
  MEMORY_KINDS,
  type ProjectId,
  SCOPES,
  type SessionId,
  type UserId,
  VERIFICATIONS,
} from './memory.js';
import { type Circle, isNearThroughout, isOfOneCircle } from './merge.js';
import { scoreMemory } from './ranking.js';
import { matchOdds, relevance } from './relevance.js';
import { linkSession, type WorkSession } from './session.js';

type Adapter = (input: GoldenInput) => unknown;

const idOrNull = <Named extends Id>(input: GoldenInput, name: string): Named | null => {
  const id = input.textOrNull(name);
  return id === null ? null : asId<Named>(id);
};

const fuse: Adapter = (input) => {
  const card = input.object('calibration');
  const calibration = {
    intercept: card.number('intercept'),
    cosine: card.number('cosine'),
    keyword: card.number('keyword'),
    unrelatedCosine: card.number('unrelatedCosine'),
  };
  return relevance(matchOdds({ cosine: input.numberOrNull('cosine'), keyword: input.number('keyword') }, calibration));
};

/** Of a score the parts that a person is told; golden settings are in the words of the settings table. */
const fullScore: Adapter = (input) => {
  const settings = input.object('settings');
  const { score, trust, contextFactor, boundedFactor, recency, scoreWithoutLearning } = scoreMemory(
    {
      relevance: input.number('relevance'),
      standing: {
        verification: input.oneOf('verification', VERIFICATIONS),
        helpedOthers: input.boolean('helpedOthers'),
        isOwn: input.boolean('isOwn'),
      },
      net: input.number('net'),
      rankingInput: input.number('rankingInput'),
      utility: input.number('utility'),
      ageDays: input.number('ageDays'),
    },
    {
      ranking: settings.oneOf('ranking', ['bounded', 'linear'] as const),
      similarityWeight: settings.number('similarityWeight'),
      utilityWeight: settings.number('utilityWeight'),
      recencyWeight: settings.number('recencyWeight'),
      maxBoost: settings.number('maxBoost'),
      contextBoost: settings.number('contextBoost'),
      recencyHalflifeDays: settings.number('recencyHalflifeDays'),
    },
  );
  return { score, trust, contextFactor, boundedFactor, recency, scoreWithoutLearning };
};

const episodeOf = (input: GoldenInput): EpisodeSpan => ({
  id: input.text('id'),
  sessionId: idOrNull<SessionId>(input, 'session'),
  startedAt: input.moment('startedAt'),
  endedAt: input.moment('endedAt'),
});

const creditRanks: Adapter = (input) => {
  const rates = { alpha: input.number('alpha'), gamma: input.number('gamma') };
  return creditReceivers(
    episodeOf(input.object('success')),
    input.objects('episodes').map(episodeOf),
    input.number('windowHours'),
  ).map(({ id, rank }) => ({ id, rank, amount: creditOfRank(rank, rates) }));
};

const circleOf = (input: GoldenInput): Circle => ({
  kind: input.oneOf('kind', MEMORY_KINDS),
  scope: input.oneOf('scope', SCOPES),
  ownerId: asId<UserId>(input.text('author')),
  projectId: idOrNull<ProjectId>(input, 'project'),
  groupId: idOrNull<GroupId>(input, 'group'),
});

/** Whether a capture would be merged by itself: near enough, of one circle, and nothing for a person to judge. */
const mergesByItself: Adapter = (input) => {
  const [stored, captured] = [input.object('stored'), input.object('captured')];
  const byEncoder = input
    .objects('nearness')
    .map((one) => ({ worst: one.number('worst'), threshold: one.number('threshold') }));
  return (
    isOfOneCircle(circleOf(stored), circleOf(captured)) &&
    isNearThroughout(byEncoder) &&
    mayMerge(stored.text('text'), captured.text('text'))
  );
};

const sessionOf = (input: GoldenInput): WorkSession => ({
  id: input.text('id'),
  userId: asId<UserId>(input.text('user')),
  projectId: idOrNull<ProjectId>(input, 'project'),
  clientKey: input.textOrNull('key'),
  startedAt: input.moment('startedAt'),
  lastAt: input.moment('lastAt'),
});

const link: Adapter = (input) => {
  const capture = input.object('capture');
  const { id, lastAt } = linkSession(input.objects('sessions').map(sessionOf), {
    userId: asId<UserId>(capture.text('user')),
    projectId: idOrNull<ProjectId>(capture, 'project'),
    clientKey: capture.textOrNull('key'),
    at: capture.moment('at'),
  });
  return { id, lastAt: lastAt.toISOString() };
};

/** By the reference's names of the functions. */
export const DECISIONS: Readonly<Record<string, Adapter>> = {
  fuse,
  fullScore,
  creditRanks,
  mayMerge: mergesByItself,
  linkSession: link,
};
