/** Until when a statement holds by its own words, counted from when it was said; days end at midnight UTC. */
import type { FactKind } from './conversation.js';

const DAY_MS = 86_400_000;
/** What was to be done until a day and was not should still be seen. */
const GRACE_DAYS = 7;
const SPRINT_DAYS = 14;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const HAN_WEEKDAYS = '日一二三四五六';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const endOfDay = (at: Date, days: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + days + 1));
const endOfMonth = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 1));

/** Days to the next such weekday; today's name means today. */
const daysTo = (at: Date, weekday: number): number => (weekday - at.getUTCDay() + 7) % 7;
/** Days to Sunday, with which a week ends. */
const toWeekEnd = (at: Date): number => daysTo(at, 0);

type Reader = readonly [RegExp, (match: RegExpExecArray, at: Date) => Date | null];

const weekday = (name: string): number => WEEKDAYS.findIndex((day) => day.startsWith(name.toLowerCase().slice(0, 3)));

/** A day of a month; one that has passed is of the next year. */
const dated = (at: Date, month: number, day: number): Date | null => {
  if (month < 0 || month > 11 || day < 1 || day > 31) return null;
  const year = at.getUTCFullYear();
  const end = new Date(Date.UTC(year, month, day + 1));
  return end > at ? end : new Date(Date.UTC(year + 1, month, day + 1));
};

const READERS: readonly Reader[] = [
  [
    /\b(?:until|till|by|before|through|due|expires?(?: on)?)\s+(?:the )?(\d{4})-(\d{2})-(\d{2})\b/i,
    (m) => new Date(Date.UTC(Number(m[1]), Number(m[2]) - 1, Number(m[3]) + 1)),
  ],
  [
    /\b(?:until|till|by|before|through|due)\s+(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?\s+(?:of )?)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?)?\b/i,
    (m, at) => dated(at, MONTHS.indexOf((m[2] ?? '').toLowerCase()), Number(m[1] ?? m[3] ?? 31)),
  ],
  [
    /(?:(\d{1,2})月(\d{1,2})[日号])(?:前|之前|为止|提交|上线|发布|截止)/u,
    (m, at) => dated(at, Number(m[1]) - 1, Number(m[2])),
  ],
  [
    /\bnext (mon|tues|wednes|thurs|fri|satur|sun)day\b/i,
    (m, at) => endOfDay(at, toWeekEnd(at) + ((weekday(m[1] ?? '') + 6) % 7) + 1),
  ],
  [
    /下周([一二三四五六日])/u,
    (m, at) => endOfDay(at, toWeekEnd(at) + ((HAN_WEEKDAYS.indexOf(m[1] ?? '') + 6) % 7) + 1),
  ],
  [
    /\b(?:until|till|by|before|through|on|due) (mon|tues|wednes|thurs|fri|satur|sun)day\b/i,
    (m, at) => endOfDay(at, daysTo(at, weekday(m[1] ?? ''))),
  ],
  [
    /(?:本周|这周)?周([一二三四五六日])(?:前|之前|为止|给|交|提交|上线|合评|我)/u,
    (m, at) => endOfDay(at, daysTo(at, HAN_WEEKDAYS.indexOf(m[1] ?? ''))),
  ],
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今晚|今日|今早|下午|晚点|晚些/iu,
    (_, at) => endOfDay(at, 0),
  ],
  [/\btomorrow\b|明天|明早|明晚/iu, (_, at) => endOfDay(at, 1)],
  [/\bnext week\b|下周/iu, (_, at) => endOfDay(at, toWeekEnd(at) + 7)],
  [/\b(?:this|end of (?:the )?) ?week\b|本周|这周|周末/iu, (_, at) => endOfDay(at, toWeekEnd(at))],
  [/\b(?:this|the current) sprint\b|这个?迭代|本迭代|本次冲刺/iu, (_, at) => endOfDay(at, SPRINT_DAYS)],
  [/\bnext month\b|下个?月/iu, (_, at) => endOfMonth(at, 1)],
  [/\b(?:this|end of (?:the )?) ?month\b|本月|这个月|月底/iu, (_, at) => endOfMonth(at, 0)],
];

/** When a statement said at a time stops holding; null where it names no end. */
export const expiryOf = (text: string, at: Date, kind: FactKind): Date | null => {
  for (const [pattern, read] of READERS) {
    const match = pattern.exec(text);
    const end = match === null ? null : read(match, at);
    if (end !== null) return kind === 'todo' ? new Date(end.getTime() + GRACE_DAYS * DAY_MS) : end;
  }
  return null;
};

/** A promise without a day is kept, or forgotten, in a sprint. */
export const endOfPromise = (at: Date): Date => endOfDay(at, SPRINT_DAYS);
