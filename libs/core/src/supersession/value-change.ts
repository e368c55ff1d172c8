/** Whether two texts say the same of one thing but for a value: what a later decision changes, and what no name marks. */
import type { ConflictKind, TextConflict } from '../conflict-guard.js';
import { isNegation } from '../conflict-guard/negations.js';
import { withDigits } from '../conflict-guard/numerals.js';
import { withoutQuantities } from '../conflict-guard/quantities.js';
import { contentStems, normalise, stem, wordsOf } from '../conflict-guard/words.js';

/** Differences that can be a value. Names, paths and commands may as well be what the text is about: "in web", "in api". */
const VALUE_KINDS: ReadonlySet<ConflictKind> = new Set(['number', 'unit', 'version', 'negation', 'opposite']);

/** Opposites that turn a rule round. "read" and "write" or "left" and "right" rather name two things. */
const TURNS = new Set(
  (
    'enable/disable allow/deny allow/forbid allow/block accept/reject permit/prohibit always/never true/false yes/no ' +
    'on/off required/optional must/may use/avoid prefer/avoid keep/drop include/exclude with/without manual/automatic ' +
    'manually/automatically sync/async synchronous/asynchronous public/private strict/loose ' +
    '启用/禁用 启用/停用 開啟/關閉 开启/关闭 打开/关闭 允许/禁止 允许/拒绝 接受/拒绝 同步/异步 必须/可选 必填/可选 必须/可以 ' +
    '公开/私有 始终/从不 总是/从不 手动/自动 有効/無効 許可/禁止 허용/금지'
  ).split(' '),
);

/** Opposites that say how something went. No value of a rule, so they retire nothing, but both cannot hold. */
const OUTCOMES = new Set(
  'work/break work/broken work/fail pass/fail pass/break fixed/broken succeed/fail success/failure help/hurt 成功/失败'.split(
    ' ',
  ),
);

const TURNS_AND_OUTCOMES: ReadonlySet<string> = new Set([...TURNS, ...OUTCOMES]);

/** Words that narrow a statement rather than deny it: both may hold. */
const NARROWS = /^(?:except|unless|only|rarely|seldom|hardly|barely|scarcely|sometimes|仅|除了|除非)/;

const NUMBER = /[-+]?\d[\d.,_]*/g;
/** After these a number is what is said; after a noun it is rather which one is meant: "sprint 12", "port 8080". */
const INTRODUCES =
  /(?:^|[\s(])(?:is|are|be|was|to|at|after|every|within|than|most|least|keep|use|set|with|limit|lasts?|expects?|allows?|(?:limit|maximum|minimum|total|size|count) of)\s*v?$|[=:<>~为是到成達过過满]\s*$/i;
const UNIT_FOLLOWS =
  /^\s?(?:%|°|ms\b|s\b|secs?\b|seconds?\b|min(?:ute)?s?\b|h\b|hours?\b|d\b|days?\b|weeks?\b|months?\b|years?\b|[kmgt]i?b\b|times\b|attempts?\b|[秒分小时天周月年次倍])/i;
const SENTENCE_STARTS = /(?:^|[.!?。！？\n]\s*)$/;

/** Whether all that the guard found between two texts is another value of the same thing. */
export const changesOnlyValues = (older: string, newer: string, findings: readonly TextConflict[]): boolean =>
  differsOnlyIn(TURNS, older, newer, findings);

/** Whether two texts say the same of one thing but for a value, or for how it went. */
export const contradictsOnly = (older: string, newer: string, findings: readonly TextConflict[]): boolean =>
  differsOnlyIn(TURNS_AND_OUTCOMES, older, newer, findings);

const differsOnlyIn = (
  turns: ReadonlySet<string>,
  older: string,
  newer: string,
  findings: readonly TextConflict[],
): boolean => {
  if (findings.length === 0) return false;
  const opposed = opposedStems(findings);
  return findings.every((finding) => {
    if (finding.kind === 'wording') return [...finding.one, ...finding.other].every((word) => opposed.has(stem(word)));
    if (!VALUE_KINDS.has(finding.kind)) return false;
    if (finding.kind === 'negation') return ![...finding.one, ...finding.other].some((mark) => NARROWS.test(mark));
    if (finding.kind === 'opposite') return isTurn(turns, finding);
    return statesNumbers(older, newer);
  });
};

/** Whether two texts have the same words but for numbers, negations and words that turn a rule round. */
export const sameButForValues = (older: string, newer: string): boolean => {
  const [was, is] = [restOf(older), restOf(newer)];
  return was.size === is.size && [...was].every((word) => is.has(word));
};

const TURNED = new Set([...TURNS].flatMap((pair) => pair.split('/')).map((word) => stem(word)));
/** "no longer" is one negation. */
const NEGATES_TOO = 'longer';

const restOf = (text: string): ReadonlySet<string> => {
  const words = wordsOf(withoutQuantities(normalise(text))).filter((word) => !isNegation(word) && word !== NEGATES_TOO);
  return new Set(contentStems(words).filter((word) => !TURNED.has(word)));
};

const isTurn = (turns: ReadonlySet<string>, { one, other }: TextConflict): boolean =>
  one.every((word, index) => turns.has(`${word}/${other[index]}`) || turns.has(`${other[index]}/${word}`));

/** The guard names an opposite a second time, as another wording. */
const opposedStems = (findings: readonly TextConflict[]): ReadonlySet<string> =>
  new Set(
    findings
      .filter(({ kind }) => kind === 'opposite')
      .flatMap(({ one, other }) => [...one, ...other])
      .map((word) => stem(word)),
  );

/** Whether the texts have as many numbers, and those that differ say how much, not which one. */
const statesNumbers = (older: string, newer: string): boolean => {
  const [was, is] = [numbersOf(older), numbersOf(newer)];
  if (was.length !== is.length) return false;
  const changed = was.flatMap((number, index) => {
    const next = is[index];
    return next === undefined || next.value === number.value ? [] : [number, next];
  });
  // Where the numbers are the same, their units differ.
  return changed.every(({ isStated }) => isStated);
};

const numbersOf = (text: string): { readonly value: string; readonly isStated: boolean }[] => {
  const digits = withDigits(normalise(text));
  return [...digits.matchAll(NUMBER)].map((match) => {
    const before = digits.slice(Math.max(0, match.index - 24), match.index);
    const after = digits.slice(match.index + match[0].length, match.index + match[0].length + 12);
    const isMeasure = UNIT_FOLLOWS.test(after) && !SENTENCE_STARTS.test(before);
    return { value: match[0], isStated: isMeasure || INTRODUCES.test(before) };
  });
};
