/*
 * A small vocabulary from which texts like those of a team are put together: what is known of a system (a subject), and how
 * it came out (a detail). Each combination reads as a sentence, so that an encoder makes of it what it makes of real ones.
 */

const SYSTEMS = [
  ...['billing service', 'search index', 'login page', 'nightly export', 'mobile client', 'payment webhook'],
  ...['report generator', 'message queue', 'image resizer', 'deploy pipeline', 'feature flag store', 'audit log'],
  ...['rate limiter', 'session cache', 'address form', 'invoice mailer', 'staging cluster', 'data importer'],
  ...['metrics dashboard', 'translation loader'],
] as const;

const FACTS = [
  'retries a failed call five times with growing pauses',
  'runs out of connections when a long transaction stays open',
  'must not be restarted while a migration holds its lock',
  'reads its settings from the environment and ignores the file',
  'loses the last line of a file that has no newline at its end',
  'needs the time zone of the tenant and not that of the server',
  'is built with the older compiler because of a native module',
  'caches an empty answer for an hour, which hides new rows',
  'sends every date as UTC and lets the browser convert it',
  'writes to a temporary file first and renames it when it is whole',
  'fails in the test suite when two workers share one port',
  'got twice as fast once the index covered both columns',
  'rounds amounts to cents before it adds the tax',
  'accepts unknown fields so that older clients keep working',
  'drops events silently when the buffer is full',
  'was moved behind the proxy, so the client address comes from a header',
  'keeps its keys in a file that is read again when it changes',
  'compares strings by bytes, so accented names sort last',
  'has a flaky check that passes when it is run alone',
  'escapes the query twice, which breaks names with an apostrophe',
] as const;

const SOURCES = [
  ...['We found it in the access log', 'A customer reported it', 'The new test showed it', 'It came up in review'],
  ...[
    'The profiler pointed at it',
    'Bisecting the history led there',
    'The alert fired twice',
    'Reading the driver told us',
  ],
  ...[
    'The staging run failed on it',
    'The vendor confirmed it',
    'It was in the release notes',
    'A trace made it plain',
  ],
  ...['The older branch still has it', 'Two of us saw it by chance', 'The dump of the heap proved it'],
] as const;

const OUTCOMES = [
  ...['and the fix was one line', 'so we reverted the change', 'and a retry was enough', 'so the limit was doubled'],
  ...[
    'and the cause was a default',
    'so a guard was added',
    'and nobody had noticed for weeks',
    'so the cache was removed',
  ],
  ...[
    'and upgrading made it worse',
    'so the timeout is thirty seconds now',
    'and the docs were wrong',
    'so we pinned the version',
  ],
  ...['and the order of two calls mattered', 'so the job runs an hour later', 'and memory fell by half'],
  ...[
    'so both sides check it now',
    'and the flag stays on',
    'so the column became mandatory',
    'and it only happens on Mondays',
  ],
  ...['so the script asks before it deletes'],
] as const;

const OPENINGS = [
  'Why is it that',
  'What did we learn when',
  'Remind me whether',
  'Has anyone seen that',
  'Is it true that',
];

/** All of a vocabulary, or of each list no more than so many words. */
export interface Vocabulary {
  readonly systems: readonly string[];
  readonly facts: readonly string[];
  readonly sources: readonly string[];
  readonly outcomes: readonly string[];
}

export const vocabularyOf = (most: number): Vocabulary => ({
  systems: SYSTEMS.slice(0, most),
  facts: FACTS.slice(0, most),
  sources: SOURCES.slice(0, most),
  outcomes: OUTCOMES.slice(0, most),
});

const pairs = <T>(ones: readonly string[], others: readonly string[], join: (one: string, other: string) => T): T[] =>
  ones.flatMap((one) => others.map((other) => join(one, other)));

/** What memories are about, by number. */
export const subjectsOf = ({ systems, facts }: Vocabulary): string[] =>
  pairs(systems, facts, (system, fact) => `The ${system} ${fact}.`);

/** How it came out, by number. */
export const detailsOf = ({ sources, outcomes }: Vocabulary): string[] =>
  pairs(sources, outcomes, (source, outcome) => `${source}, ${outcome}.`);

/** A question about a subject, in words that are nearly the memories' own; `turn` varies them. */
export const questionAbout = ({ systems, facts }: Vocabulary, subject: number, turn: number): string => {
  const system = systems[Math.floor(subject / facts.length)] ?? '';
  const fact = facts[subject % facts.length] ?? '';
  return `${OPENINGS[turn % OPENINGS.length] ?? ''} the ${system} ${fact}? Asked for ticket ${turn}.`;
};

/** A text that nobody captured before. */
export const freshText = ({ systems, facts, sources, outcomes }: Vocabulary, turn: number): string => {
  const pick = (words: readonly string[], by: number): string => words[by % words.length] ?? '';
  return `The ${pick(systems, turn * 7)} ${pick(facts, turn * 3)} since ticket ${turn}. ${pick(sources, turn)}, ${pick(outcomes, turn * 11)}.`;
};
