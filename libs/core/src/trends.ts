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

/** The first instant of the period that an instant lies in. @throws RangeError for an invalid date */
export const bucketStart = (at: Date, bucket: TrendBucket): Date => {
  if (Number.isNaN(at.getTime())) throw new RangeError('A trend bucket needs a valid date.');
  if (bucket === 'monthly') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return new Date(midnight - ((at.getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK) * MS_PER_DAY);
};

/** So many periods on, or back where negative, from the beginning of one. */
export const shiftBucket = (start: Date, bucket: TrendBucket, periods: number): Date =>
  bucket === 'monthly'
    ? new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + periods, 1))
    : new Date(start.getTime() + periods * DAYS_PER_WEEK * MS_PER_DAY);

/** What was counted in one period, or in all of them together. */
export interface LearningCounts {
  readonly asked: number;
  readonly answered: number;
  readonly helpful: number;
  readonly unhelpful: number;
  /** Sum of the places at which what was found helpful had been shown. */
  readonly helpfulPlaces: number;
}

/** How well a period went; null is a gap, where nothing was asked or voted: it is not a zero. */
export interface LearningPoint {
  /** Of the answers to questions, those in which something was found helpful. */
  readonly answerRate: number | null;
  /** Of all votes given in the period, those that are helpful. */
  readonly helpfulShare: number | null;
  /** Where what was found helpful stood, 1 being first. */
  readonly meanPlace: number | null;
}

/**
 * A point of the learning curve. Each stands by itself, against the votes given in it: a curve that took its first point for
 * the whole would rise or fall by how lucky the first week was.
 */
export const learningPoint = (counts: LearningCounts): LearningPoint => ({
  answerRate: shareOf(counts.answered, counts.asked),
  helpfulShare: shareOf(counts.helpful, counts.helpful + counts.unhelpful),
  meanPlace: counts.helpful === 0 ? null : counts.helpfulPlaces / counts.helpful,
});

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : Math.min(1, part / whole));

const isoWeek = (at: Date): string => {
  const weekday = at.getUTCDay() === 0 ? DAYS_PER_WEEK : at.getUTCDay();
  const thursday = new Date(at.getTime() + (THURSDAY - weekday) * MS_PER_DAY);
  const dayOfYear = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / MS_PER_DAY);
  return `${year(thursday)}-W${twoDigits(1 + Math.floor(dayOfYear / DAYS_PER_WEEK))}`;
};

const year = (at: Date): string => String(at.getUTCFullYear()).padStart(4, '0');
const twoDigits = (value: number): string => String(value).padStart(2, '0');
