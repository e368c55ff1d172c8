/**
 * Weekdays and months by name, whatever the spelling: "Fri" and "Fridays" are one day, and 周五 and 星期五 are. Months with
 * digits (3月) are compared as numbers.
 */

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Names that mean nothing else. */
const PLAIN =
  /\b(?:(mon|tues|wednes|thurs|fri|satur|sun)day|(january|february|april|june|july|august|september|october|november|december))s?\b/giu;
/** Short forms count only where a date is expected: "until Fri", "5 Mar", "Sat-Sun". */
const SHORT = '(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const EXPECTED =
  '(?:in|on|of|by|until|till|since|from|to|before|after|between|during|every|each|next|last|this|early|mid|late|through)';
const AS_DATE = new RegExp(
  `(?<=\\b${EXPECTED} |\\d(?:st|nd|rd|th)? )${SHORT}\\b\\.?|\\b${SHORT}\\b\\.?(?= \\d{1,4}\\b| ?[-/] ?${SHORT}\\b)`,
  'giu',
);
/** Verbs, too: "this may fail", "they march on"; a month is written large within a sentence, or said to be one. */
const VERBS_TOO =
  /(?<=\b(?:in|of|by|until|till|since|from|during|early|mid|late) )(?:may|march)\b|(?<=[\p{Ll}\d,] )(?:May|March)\b/gu;
/** What is joined with a date is one: "Monday or Thu", "Mar-May". */
const JOINED = new RegExp(
  `(?<=\u0000 ?(?:[-/,&]|and|or|to) ?)(?:${SHORT}|march|may)\\b|\\b${SHORT}(?= ?[-/] ?\u0000)`,
  'giu',
);
/** 一 after 周 is a day unless it counts: 每周一次 is once a week, 三周五天 three weeks and five days. */
const HAN_DAY =
  /(?<!(?<![周週期拜])[一二两三四五六七八九十百\d]\s?)(?:周|週|星期|礼拜|禮拜)([一二三四五六日天1-7])(?![次个個种種遍回])|([月火水木金土日])曜日?/gu;
const HAN_DAYS: ReadonlyMap<string, string> = new Map(
  ['一1月', '二2火', '三3水', '四4木', '五5金', '六6土', '日天7'].flatMap((spellings, day) =>
    [...spellings].map((spelling) => [spelling, DAYS[day] ?? ''] as const),
  ),
);

const nameOf = (word: string): string => {
  const start = word.slice(0, 3).toLowerCase();
  return [...DAYS, ...MONTHS].find((name) => name.toLowerCase() === start) ?? word;
};

interface Dated {
  readonly dates: readonly string[];
  /** The text without them, for comparisons that are not about them. */
  readonly rest: string;
}

const read = (text: string): Dated => {
  const dates: string[] = [];
  // A mark where a date stood, so that what is joined with it is seen; it is no word.
  const take = (date: string): string => {
    dates.push(date);
    return '\u0000';
  };
  let rest = text
    .replaceAll('\u0000', ' ')
    .replace(HAN_DAY, (_, chinese?: string, japanese?: string) => take(HAN_DAYS.get(chinese ?? japanese ?? '') ?? ''))
    .replace(PLAIN, (word) => take(nameOf(word)))
    .replace(VERBS_TOO, (word) => take(nameOf(word)))
    .replace(AS_DATE, (word) => take(nameOf(word)));
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(JOINED, (word) => take(nameOf(word)));
  }
  return { dates, rest: rest.replaceAll('\u0000', ' ') };
};

/** The weekdays and months that a normalised text names, each once, in one order. */
export const datesOf = (text: string): string[] => [...new Set(read(text).dates)].sort();

/** The text without them: another spelling of a day is no other name and no other wording. */
export const withoutDates = (text: string): string => read(text).rest;
