import { findSecrets, REDACTION_RULES, redact, type RedactionRule } from '@tempera/client-kit';
import { type Sample, sampleWriter, wellKnownSamples } from '../support/redaction/secret-samples.js';
import { randomFrom } from './random.js';

const MEBIBYTE = 1_048_576;

/** How many of so many. */
export interface Share {
  readonly of: number;
  readonly count: number;
}

/** What one rule took for a mebibyte made against it. */
export interface Hostile {
  readonly rule: string;
  readonly text: string;
  readonly ms: number;
  readonly secrets: number;
}

export interface RedactionFigures {
  readonly rules: number;
  readonly firstCallMs: number;
  readonly secondCallMs: number;
  readonly caught: Share;
  readonly wellKnown: Share;
  readonly missed: Readonly<Record<string, number>>;
  readonly altered: Share | null;
  readonly hostile: readonly Hostile[];
}

/** Time of the processor, which other programs on the machine do not lengthen. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const timed = <T>(work: () => T): readonly [T, number] => {
  const before = spentMs();
  const result = work();
  return [result, spentMs() - before];
};

/** A turn as hooks see them, with one secret in it. */
const turn = (): string =>
  `${'The build failed since the client did not wait for its lease. '.repeat(200)}\nexport GH_TOKEN=ghp_${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcD5f'}\n`;

const isCaught = ({ text, secret }: Sample): boolean => !redact(text).text.includes(secret);

const samplesOf = (perRule: number, random: () => number): readonly [Sample[], Sample[]] => [
  REDACTION_RULES.map(sampleWriter).flatMap((write) => Array.from({ length: perRule }, () => write(random))),
  Array.from({ length: perRule }, () => wellKnownSamples(random)).flat(),
];

/** Texts of a mebibyte that give one rule as much to do as can be, without a secret in them, and one that is all secrets. */
const hostileTexts = (rule: RedactionRule, random: () => number): Record<string, string> => {
  const keyword = rule.keywords[0] ?? '';
  const filled = (text: string): string => text.repeat(Math.ceil(MEBIBYTE / text.length)).slice(0, MEBIBYTE);
  return {
    keyword: filled(keyword),
    assigned: filled(`${keyword}=`),
    'short values': filled(`${keyword} = "aaaaaaa `),
    'values that are no secrets': filled(`${keyword} = "aB3dE5gH7jcontrol9mN1pQ2rS4"\n`),
    'all secrets': filled(`${sampleWriter(rule)(random).text}\n`),
  };
};

const attack = (rule: RedactionRule, random: () => number): Hostile[] =>
  Object.entries(hostileTexts(rule, random)).map(([text, hostile]) => {
    const [found, ms] = timed(() => findSecrets(rule, hostile));
    return { rule: rule.id, text, ms: Math.round(ms), secrets: found.length };
  });

const missesOf = (samples: readonly Sample[]): Record<string, number> => {
  const missed: Record<string, number> = {};
  for (const sample of samples) if (!isCaught(sample)) missed[sample.rule] = (missed[sample.rule] ?? 0) + 1;
  return missed;
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0);

/** Measures redaction: the first call first, before anything is compiled. */
export const runRedaction = (options: {
  readonly perRule: number;
  readonly clean: readonly string[] | null;
  readonly hostile: boolean;
}): RedactionFigures => {
  const [, firstCallMs] = timed(() => redact(turn()));
  const [, secondCallMs] = timed(() => redact(turn()));
  const random = randomFrom(7);
  const [ruled, known] = samplesOf(options.perRule, random);
  const missed = { ...missesOf(ruled), ...missesOf(known) };
  const { clean } = options;
  return {
    rules: REDACTION_RULES.length,
    firstCallMs: Math.round(firstCallMs),
    secondCallMs: Math.round(secondCallMs),
    caught: { of: ruled.length, count: ruled.length - sum(missesOf(ruled)) },
    wellKnown: { of: known.length, count: known.length - sum(missesOf(known)) },
    missed,
    altered:
      clean === null ? null : { of: clean.length, count: clean.filter((line) => redact(line).text !== line).length },
    hostile: options.hostile ? REDACTION_RULES.flatMap((rule) => attack(rule, random)) : [],
  };
};
