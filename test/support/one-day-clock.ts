const DAY_MS = 86_400_000;
/** Longer than any suite runs. */
const MARGIN_MS = 1_200_000;

/**
 * The real clock, set back where midnight UTC would fall into a suite: votes count by days, and a test that gives two on
 * one day means it.
 */
export const oneDayClock = (): (() => Date) => {
  const untilMidnight = DAY_MS - (Date.now() % DAY_MS);
  const behind = untilMidnight < MARGIN_MS ? MARGIN_MS : 0;
  return () => new Date(Date.now() - behind);
};
