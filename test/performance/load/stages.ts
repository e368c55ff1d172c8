/** What the API measured of itself: sums and counts of each stage so far. */
export type StageTotals = ReadonlyMap<string, { readonly seconds: number; readonly count: number }>;

/** Mean milliseconds of each stage, as `work stage`. */
export type StageMeans = Readonly<Record<string, number>>;

const LINE = /^tempera_stage_duration_seconds_(sum|count)\{work="(\w+)",stage="(\w+)"\} (\S+)$/gm;

/** Reads the API's own histogram. */
export const readStages = async (metricsUrl: string): Promise<StageTotals> => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const totals = new Map<string, { seconds: number; count: number }>();
  for (const [, part, work, stage, value] of text.matchAll(LINE)) {
    const name = `${work} ${stage}`;
    const known = totals.get(name) ?? { seconds: 0, count: 0 };
    totals.set(name, part === 'sum' ? { ...known, seconds: Number(value) } : { ...known, count: Number(value) });
  }
  return totals;
};

/** What lies between two readings. */
export const meansBetween = (before: StageTotals, after: StageTotals): StageMeans =>
  Object.fromEntries(
    [...after].flatMap(([name, { seconds, count }]) => {
      const earlier = before.get(name) ?? { seconds: 0, count: 0 };
      const times = count - earlier.count;
      return times === 0 ? [] : [[name, Math.round(((seconds - earlier.seconds) / times) * 100_000) / 100]];
    }),
  );
