import type { Electorate } from './voting.js';

/** One way for the service to learn, chosen by what a tenant may set, and the people who teach it. */
export interface Mode {
  readonly name: string;
  readonly summary: string;
  readonly electorate: Electorate;
  /** What is set before the first question; everything else as shipped. */
  readonly settings: Readonly<Record<string, string>>;
  /** A maintenance run after each round. */
  readonly hasNights: boolean;
  /** An outdated near-copy stands beside each relevant memory. */
  readonly hasOutdated: boolean;
  /** What followed a helpful memory in its session ends in success. */
  readonly hasSuccesses: boolean;
}

const NO_LOANS = { 'bellman.max_propagation_depth': '0' };
const NO_CONTEXT = { 'retrieval.context_boost': '0' };

const mode = (name: string, summary: string, rest: Partial<Mode> = {}): Mode => ({
  name,
  summary,
  electorate: { kind: 'honest' },
  settings: {},
  hasNights: false,
  hasOutdated: false,
  hasSuccesses: false,
  ...rest,
});

/** What is compared, in the order of the tables. */
export const MODES: readonly Mode[] = [
  mode('relevance', 'nobody votes: the order of relevance, which every other mode is compared with', {
    electorate: { kind: 'none' },
  }),
  mode('votes', 'votes move a memory for every question alike; no context, no lending, no nights', {
    settings: { ...NO_CONTEXT, ...NO_LOANS },
  }),
  mode('context', 'votes count most for questions like the one they were given for; no lending, no nights', {
    settings: NO_LOANS,
  }),
  mode('propagation', 'as shipped: context, and each night what helped lends to what is like it', { hasNights: true }),
  mode('credit', 'as shipped, and work after what helped ends in success, for which nights give credit', {
    hasNights: true,
    hasSuccesses: true,
  }),
  mode('linear', 'a plain weighted mean of relevance, utility and recency (retrieval.ranking linear)', {
    settings: { 'retrieval.ranking': 'linear' },
    hasNights: true,
  }),
  mode('random', 'as shipped, everybody tosses a coin: votes that say nothing must cost little', {
    electorate: { kind: 'random' },
    hasNights: true,
  }),
  mode('hostile-1', 'as shipped, one of the ten always votes the opposite of what is so', {
    electorate: { kind: 'hostile', people: 1 },
    hasNights: true,
  }),
  mode('hostile-3', 'as shipped, three of the ten do', {
    electorate: { kind: 'hostile', people: 3 },
    hasNights: true,
  }),
  mode('outdated', 'as shipped, with an outdated near-copy beside each relevant memory, which votes must sink', {
    hasNights: true,
    hasOutdated: true,
  }),
];

/** The modes named in `a,b`, in the order of the tables. @throws Error that lists what there is */
export const chooseModes = (names: string | undefined): readonly Mode[] => {
  if (names === undefined) return MODES;
  const wanted = new Set(names.split(',').map((name) => name.trim()));
  const unknown = [...wanted].find((name) => !MODES.some((one) => one.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no mode "${unknown}": it is one of ${MODES.map(({ name }) => name).join(', ')}.`);
  }
  return MODES.filter(({ name }) => wanted.has(name));
};
