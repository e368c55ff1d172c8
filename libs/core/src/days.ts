const MS_PER_DAY = 86_400_000;

/**
 * Days from one instant to another, with fractions. A negative age counts as 0: clocks of clients differ, and a memory
 * from the future is simply new.
 */
export const daysBetween = (from: Date, to: Date): number => Math.max(0, (to.getTime() - from.getTime()) / MS_PER_DAY);

/** The UTC day of an instant, as a number that grows by one a day. */
export const utcDay = (at: Date): number => Math.floor(at.getTime() / MS_PER_DAY);
