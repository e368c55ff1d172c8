import type { GraphQLClient } from '../../support/graphql-client.js';
import type { Progress } from '../capture-set.js';
import { type HalfMeasure, measured } from './half-measure.js';
import { askerOf, type Halves, type Query, ROUNDS } from './halves.js';
import { inPairs } from '../in-pairs.js';
import type { Clone, LearningWorld } from './learning-world.js';
import type { Mode } from './modes.js';
import { type Night, spendNight } from './nights.js';
import { successesOf } from './successes.js';
import { verdictOn } from './voting.js';

export interface RoundMeasure {
  readonly voted: HalfMeasure;
  readonly unseen: HalfMeasure;
}

export interface Replay {
  /** Before any vote, then after each round. */
  readonly rounds: readonly RoundMeasure[];
  readonly votes: { readonly helpful: number; readonly unhelpful: number };
  readonly nights: readonly Night[];
}

export interface ReplayOptions {
  readonly world: LearningWorld;
  readonly clone: Clone;
  readonly mode: Mode;
  readonly halves: Halves;
  readonly seed: number;
  readonly progress: Progress;
}

/** What people look at. */
const LIMIT = 5;

const RETRIEVE = 'mutation ($input: RetrieveInput!) { retrieve(input: $input) { retrievalId hits { memory { id } } } }';
const VOTE = `mutation ($good: FeedbackInput!, $bad: FeedbackInput!, $hasGood: Boolean!, $hasBad: Boolean!) {
  good: feedback(input: $good) @include(if: $hasGood) { rejected { reason } }
  bad: feedback(input: $bad) @include(if: $hasBad) { rejected { reason } }
}`;

interface Answer {
  readonly retrievalId: string;
  /** By the set's names. */
  readonly shown: readonly string[];
}

/**
 * Five rounds: everybody asks, then votes on what was shown, then sleeps. What the voted half is shown is measured where it
 * is asked, so it is that of the round before; the unseen half is asked as a hook asks, which leaves no trace in what ranks.
 */
export const replay = async (options: ReplayOptions): Promise<Replay> => {
  const { mode, halves, clone, progress } = options;
  const names = new Map([...options.world.ids].map(([name, id]) => [id, name]));
  const ask = (query: Query, round: number, kind: Kind): Promise<Answer> => askAs(options, names, query, round, kind);
  const measure = async (queries: readonly Query[]): Promise<HalfMeasure> =>
    measured(
      queries,
      (await inPairs(queries, (query) => ask(query, 0, 'INJECTED'))).map(({ shown }) => shown),
    );

  const rounds: RoundMeasure[] = [];
  const nights: Night[] = [];
  const votes = { helpful: 0, unhelpful: 0 };
  const successes = successesOf(options.world.set, options.world.ids, clone.people.author);
  const last = mode.electorate.kind === 'none' ? 0 : ROUNDS;
  for (let round = 1; round <= last; round += 1) {
    const unseen = await measure(halves.unseen);
    const answers = await inPairs(halves.voted, (query) => ask(query, round, 'ASKED'));
    rounds.push({
      voted: measured(
        halves.voted,
        answers.map(({ shown }) => shown),
      ),
      unseen,
    });
    const cast = await inPairs(halves.voted, (query, at) => voteOn(options, query, round, answers[at]));
    for (const { helpful, unhelpful } of cast) {
      votes.helpful += helpful.length;
      votes.unhelpful += unhelpful.length;
    }
    if (mode.hasSuccesses) await successes.follow(cast.flatMap(({ helpful }) => helpful));
    if (mode.hasNights) nights.push(await spendNight(clone.people.owner, last - round));
    progress(round, last, `${mode.name}, round`);
  }
  rounds.push({ voted: await measure(halves.voted), unseen: await measure(halves.unseen) });
  return { rounds, votes, nights };
};

type Kind = 'ASKED' | 'INJECTED';

const voterOf = (
  { clone, seed }: ReplayOptions,
  query: Query,
  round: number,
): { voter: number; person: GraphQLClient } => {
  const voter = askerOf(query, round, seed);
  const person = clone.people.voters[voter];
  if (person === undefined) throw new Error(`There is no voter ${voter}.`);
  return { voter, person };
};

const askAs = async (
  options: ReplayOptions,
  names: ReadonlyMap<string, string>,
  query: Query,
  round: number,
  kind: Kind,
): Promise<Answer> => {
  const input = { query: query.text, limit: LIMIT, project: options.world.slugs.get(query.project), kind };
  const { retrieve } = await voterOf(options, query, round).person.send<{
    retrieve: { retrievalId: string; hits: { memory: { id: string } }[] };
  }>(RETRIEVE, { input });
  const shown = retrieve.hits.map(({ memory }) => names.get(memory.id) ?? `unknown:${memory.id}`);
  return { retrievalId: retrieve.retrievalId, shown };
};

/** What somebody said of an answer, by the set's names. */
interface Ballots {
  readonly helpful: readonly string[];
  readonly unhelpful: readonly string[];
}

const voteOn = async (
  options: ReplayOptions,
  query: Query,
  round: number,
  answer: Answer | undefined,
): Promise<Ballots> => {
  if (answer === undefined || answer.shown.length === 0) return { helpful: [], unhelpful: [] };
  const { voter, person } = voterOf(options, query, round);
  const relevant = new Set(query.relevant);
  const isHelpful = (memory: string): boolean =>
    verdictOn(
      options.mode.electorate,
      { voter, round, query: query.id, memory, isRelevant: relevant.has(memory) },
      options.seed,
    );
  const good = answer.shown.filter(isHelpful);
  const bad = answer.shown.filter((memory) => !good.includes(memory));
  const ballot = (names: readonly string[], helpful: boolean): object => ({
    memoryIds: names.map((name) => options.world.ids.get(name) ?? name),
    helpful,
    retrievalId: answer.retrievalId,
  });
  const result = await person.send<Record<string, { rejected: { reason: string }[] } | undefined>>(VOTE, {
    good: ballot(good, true),
    bad: ballot(bad, false),
    hasGood: good.length > 0,
    hasBad: bad.length > 0,
  });
  const rejected = Object.values(result).flatMap((one) => one?.rejected ?? []);
  if (rejected.length > 0) throw new Error(`A vote was rejected: ${rejected[0]?.reason}`);
  return { helpful: good, unhelpful: bad };
};
