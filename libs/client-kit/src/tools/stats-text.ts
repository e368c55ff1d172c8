import type { LearningView, StatsAnswer, TrendsAnswer } from '../stats-view.js';
import { neutraliseLine } from '../untrusted-text.js';
import { type BarColumn, barTable, type Glyphs, sparkline } from './chart.js';
import { percent } from './memory-text.js';

const whole = (value: number): string => String(value);
const placeText = (value: number): string => value.toFixed(1);
/** Tags are anyone's words: short, on one line, and marked as a name. */
const domainText = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `"${neutraliseLine(name, 40)}"${kind === 'TASK_TYPE' ? ' (task)' : ''}`;

const shareText = (share: number | null): string => (share === null ? 'none' : percent(share));

/** Where the numbers come from, in words. */
export const searchedText = (project: string | null): string =>
  project === null ? 'Everything you can see' : `Project ${neutraliseLine(project, 100)}`;

const learningLines = (learned: LearningView): string[] => [
  `Answers that showed something: ${learned.asked} asked (${shareText(learned.answerRate)} held something found helpful), ${learned.injected} injected.`,
  `Votes: ${learned.helpful} helpful, ${learned.unhelpful} unhelpful${learned.helpfulShare === null ? '' : ` (${percent(learned.helpfulShare)} helpful)`}${learned.meanPlace === null ? '' : `; what helped stood at place ${placeText(learned.meanPlace)} on average`}.`,
];

const counted = (rows: readonly { readonly word: string; readonly count: number }[]): string =>
  rows.map(({ word, count }) => `${word.toLowerCase()} ${count}`).join(', ') || 'none';

const headLines = (stats: StatsAnswer): string[] => [
  `${searchedText(stats.project)}: ${stats.memories} memories.`,
  `Scopes: ${counted(stats.scopes.map(({ scope, count }) => ({ word: scope, count })))}. States: ${counted(stats.states.map(({ state, count }) => ({ word: state, count })))}.`,
  ...learningLines(stats),
];

/** Totals in a few lines. */
export const statsLines = (stats: StatsAnswer): string[] => [
  ...headLines(stats),
  `Kinds: ${counted(stats.kinds.map(({ kind, count }) => ({ word: kind, count })))}.`,
  `Domains: ${stats.domains.map((domain) => `${domainText(domain)} ${domain.memories}`).join(', ') || 'none'}.`,
];

const countTable = (
  heading: string,
  rows: readonly { readonly label: string; readonly count: number }[],
  glyphs: Glyphs,
): string[] => {
  if (rows.length === 0) return [];
  const column = { heading: 'memories', values: rows.map(({ count }) => count), write: whole };
  return [
    '',
    ...barTable(
      heading,
      rows.map(({ label }) => label),
      [column],
      glyphs,
    ),
  ];
};

/** Totals, drawn. */
export const drawStats = (stats: StatsAnswer, glyphs: Glyphs): string[] => [
  ...headLines(stats),
  ...countTable(
    'kind',
    stats.kinds.map(({ kind, count }) => ({ label: kind.toLowerCase(), count })),
    glyphs,
  ),
  ...countTable(
    'domain',
    stats.domains.map((domain) => ({ label: domainText(domain), count: domain.memories })),
    glyphs,
  ),
];

const spanText = ({ project, bucket, points }: TrendsAnswer): string => {
  const [first, last] = [points[0], points.at(-1)];
  return `${searchedText(project)}, ${bucket.toLowerCase()} from ${first?.bucket ?? '-'} to ${last?.bucket ?? '-'} (UTC).`;
};

const againstText = (againstAll: number | null): string =>
  againstAll === null ? '' : `, ${againstAll < 0 ? '-' : '+'}${percent(Math.abs(againstAll))} against all`;

/** How the memories did at both ends of what nights noted; nothing where none looked. */
const healthLines = ({ points }: TrendsAnswer): string[] => {
  const noted = points.flatMap(({ bucket, health }) => (health === null ? [] : [{ bucket, ...health }]));
  const [first, last] = [noted[0], noted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const told = ({ bucket, memories, meanUtility, highValue, stale, neverRetrieved }: typeof first): string =>
    `${bucket}: ${memories} memories, mean utility ${percent(meanUtility)}, ${highValue} proved useful, ${neverRetrieved} never found by a question, ${stale} stale.`;
  return first === last ? [`Health in ${told(last)}`] : [`Health in ${told(first)}`, `Health in ${told(last)}`];
};

/** Trends in a line a bucket; one in which nothing happened is left out, and its gap said. */
export const trendsLines = (trends: TrendsAnswer): string[] => {
  const lines = trends.points.flatMap((point) => {
    const votes = point.helpful + point.unhelpful;
    if (point.captured + point.asked + point.injected + votes === 0) return [];
    const voted =
      votes === 0
        ? 'no votes'
        : `${shareText(point.helpfulShare)} of ${votes} votes helpful${againstText(point.againstAll)}`;
    const place = point.meanPlace === null ? '' : `, at place ${placeText(point.meanPlace)}`;
    return `${point.bucket}: captured ${point.captured}, asked ${point.asked} (${shareText(point.answerRate)} answered), injected ${point.injected}, ${voted}${place}.`;
  });
  const gaps = trends.points.length - lines.length;
  const grown = trends.domains.map(
    (domain) => `${domainText(domain)} ${domain.memories.at(0) ?? 0} to ${domain.memories.at(-1) ?? 0}`,
  );
  return [
    spanText(trends),
    ...learningLines(trends.all),
    ...lines,
    ...(gaps > 0 ? [`Nothing happened in ${gaps} of ${trends.points.length} buckets.`] : []),
    ...healthLines(trends),
    `Domains grew: ${grown.join(', ') || 'none'}.`,
  ];
};

/** Trends, drawn: a row a bucket, and how each domain grew. */
export const drawTrends = (trends: TrendsAnswer, glyphs: Glyphs): string[] => {
  const { points, domains } = trends;
  const columns: BarColumn[] = [
    { heading: 'captured', values: points.map(({ captured }) => captured), write: whole },
    { heading: 'asked', values: points.map(({ asked }) => asked), write: whole },
    { heading: 'answered', values: points.map(({ answerRate }) => answerRate), write: percent, top: 1 },
    { heading: 'helpful of votes', values: points.map(({ helpfulShare }) => helpfulShare), write: percent, top: 1 },
    { heading: 'mean place', values: points.map(({ meanPlace }) => meanPlace), write: placeText },
  ];
  const most = Math.max(0, ...domains.flatMap(({ memories }) => memories));
  const width = Math.max(0, ...domains.map((domain) => [...domainText(domain)].length));
  const grown = domains.map(
    (domain) =>
      `${domainText(domain).padEnd(width)}  ${sparkline(domain.memories, most, glyphs)}  ${domain.memories.at(-1) ?? 0}`,
  );
  return [
    spanText(trends),
    ...learningLines(trends.all),
    '',
    ...barTable(
      trends.bucket === 'MONTHLY' ? 'month' : 'week',
      points.map(({ bucket }) => bucket),
      columns,
      glyphs,
    ),
    ...(grown.length === 0
      ? []
      : ['', `memories by domain, ${points[0]?.bucket ?? ''} to ${points.at(-1)?.bucket ?? ''}, 0..${most}`, ...grown]),
    ...healthLines(trends).flatMap((line, place) => (place === 0 ? ['', line] : [line])),
    '',
    `${glyphs.hasUnicode ? '·' : '.'} and - are gaps: nothing was asked or voted there.`,
  ];
};
