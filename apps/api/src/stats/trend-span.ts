import { AppError } from '@tempera/client-kit';
import { bucketStart, shiftBucket, type TrendBucket, trendBucket } from '@tempera/core';

/** Two years of weeks, ten of months. */
export const MAX_BUCKETS = 120;
const DEFAULT_BUCKETS = 12;

/** What was asked for. */
export interface SpanRequest {
  readonly bucket: TrendBucket;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Whole buckets from the first moment of one to the last of another. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
  readonly buckets: readonly { readonly label: string; readonly from: Date }[];
}

/**
 * The buckets from the one of `from` to the one of `to`; by default the last twelve.
 * @throws AppError `invalid-input` where the end is before the beginning, or there would be too many
 */
export const spanOf = ({ bucket, from, to }: SpanRequest, now: Date): Span => {
  const last = bucketStart(to ?? now, bucket);
  const first = from === null ? shiftBucket(last, bucket, 1 - DEFAULT_BUCKETS) : bucketStart(from, bucket);
  if (first > last) throw new AppError('invalid-input', 'span-backwards', '`to` is before `from`.');
  const buckets: { label: string; from: Date }[] = [];
  for (let start = first; start <= last; start = shiftBucket(start, bucket, 1)) {
    if (buckets.length === MAX_BUCKETS) {
      const message = `At most ${MAX_BUCKETS} buckets are counted at once: ask for a shorter span, or by month.`;
      throw new AppError('invalid-input', 'too-many-buckets', message, { details: { maximum: MAX_BUCKETS } });
    }
    buckets.push({ label: trendBucket(start, bucket), from: start });
  }
  return { from: first, until: shiftBucket(last, bucket, 1), buckets };
};
