/** How often a step of the night is wanted (docs/design.md, "Maintenance"). */
import { trendBucket } from './trends.js';

export const CADENCES = ['nightly', 'weekly', 'monthly', 'quarterly'] as const;
export type Cadence = (typeof CADENCES)[number];

const MONTHS_PER_QUARTER = 3;

/**
 * Whether a step is due on a date: in the first night of each week, month or quarter, or the next one after that was missed.
 * @param runDate `YYYY-MM-DD`, as is `lastOn`: the latest date for which the step was done; null: never
 */
export const isDue = (cadence: Cadence, runDate: string, lastOn: string | null): boolean =>
  cadence === 'nightly' || lastOn === null || periodOf(cadence, runDate) > periodOf(cadence, lastOn);

/** Names of periods that sort as they follow each other. */
const periodOf = (cadence: Exclude<Cadence, 'nightly'>, date: string): string => {
  const at = new Date(`${date}T00:00:00Z`);
  if (cadence !== 'quarterly') return trendBucket(at, cadence);
  return `${trendBucket(at, 'monthly').slice(0, 4)}-Q${Math.floor(at.getUTCMonth() / MONTHS_PER_QUARTER) + 1}`;
};
