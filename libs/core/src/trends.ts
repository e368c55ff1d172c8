/** Periods of time that trends are counted in; always UTC, so that everyone sees the same counts. */

export const TREND_BUCKETS = ['weekly', 'monthly'] as const;
export type TrendBucket = (typeof TREND_BUCKETS)[number];

const MS_PER_DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
/** An ISO week belongs to the year of its Thursday. */
const THURSDAY = 4;

/**
 * The period an instant lies in: ISO week `YYYY-Www`, or month `YYYY-MM`.
 * @throws RangeError for an invalid date, which the edge should have refused
 */
export const trendBucket = (at: Date, bucket: TrendBucket): string => {
  if (Number.isNaN(at.getTime())) throw new RangeError('A trend bucket needs a valid date.');
  return bucket === 'monthly' ? `${year(at)}-${twoDigits(at.getUTCMonth() + 1)}` : isoWeek(at);
};

const isoWeek = (at: Date): string => {
  const weekday = at.getUTCDay() === 0 ? DAYS_PER_WEEK : at.getUTCDay();
  const thursday = new Date(at.getTime() + (THURSDAY - weekday) * MS_PER_DAY);
  const dayOfYear = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / MS_PER_DAY);
  return `${year(thursday)}-W${twoDigits(1 + Math.floor(dayOfYear / DAYS_PER_WEEK))}`;
};

const year = (at: Date): string => String(at.getUTCFullYear()).padStart(4, '0');
const twoDigits = (value: number): string => String(value).padStart(2, '0');
