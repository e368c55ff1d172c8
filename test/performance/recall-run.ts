import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { bootstrapMean, type MeanWithInterval } from './bootstrap.js';
import { captureSet, createProjects, embeddingsDone, type Progress } from './capture-set.js';
import type { NeutralSet } from './neutral-sets.js';
import { measureRanking, meanMetrics, type RankingMetrics } from './ranking-metrics.js';
import { askEachWay, askOnce, RANKINGS, type Ranking } from './recall-questions.js';

/** Each figure with its 95 % interval, resampled over the queries. */
export type MetricIntervals = { readonly [Figure in keyof RankingMetrics]: MeanWithInterval };

/** What one set gave. Times are whole requests over loopback and are for orientation only. */
export interface RecallReport extends RankingMetrics {
  set: string;
  memories: number;
  queries: number;
  intervals: MetricIntervals;
  /** With `compare`: what each ranking gives. */
  rankings?: Partial<Record<Ranking, MetricIntervals>>;
  captureMs: number;
  capturesPerSecond: number;
  retrieveMedianMs: number;
  retrieveP95Ms: number;
  mode: string;
}

export interface RecallOptions {
  readonly merge: boolean;
  readonly limit: number;
  readonly compare: boolean;
  readonly progress: Progress;
}

/** Captures one set into a tenant of its own and asks every query of it through the running service. */
export async function runRecallSet(
  operator: GraphQLClient,
  set: NeutralSet,
  options: RecallOptions,
): Promise<RecallReport> {
  const owner = await createTenant(operator, `bench ${set.name}`);
  const slugs = await createProjects(owner, set);
  const started = performance.now();
  const ids = await captureSet(owner, set, slugs, options);
  await embeddingsDone(owner, options.progress);
  const captureMs = performance.now() - started;
  const { measured, times, mode } = await askAll(owner, set, { ...options, ids, slugs });
  const quantile = (q: number): number => times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0;
  return {
    set: set.name,
    memories: set.memories.length,
    queries: set.queries.length,
    ...meanMetrics(measured.full),
    intervals: intervalsOf(measured.full),
    ...(options.compare
      ? { rankings: Object.fromEntries(RANKINGS.map((ranking) => [ranking, intervalsOf(measured[ranking])])) }
      : {}),
    captureMs,
    capturesPerSecond: set.memories.length / (captureMs / 1_000),
    retrieveMedianMs: quantile(0.5),
    retrieveP95Ms: quantile(0.95),
    mode,
  };
}

interface Asked {
  readonly measured: Record<Ranking, RankingMetrics[]>;
  /** In order of length. */
  readonly times: readonly number[];
  readonly mode: string;
}

async function askAll(
  owner: GraphQLClient,
  set: NeutralSet,
  options: RecallOptions & { ids: ReadonlyMap<string, string>; slugs: ReadonlyMap<string, string> },
): Promise<Asked> {
  const measured: Record<Ranking, RankingMetrics[]> = { vector: [], keyword: [], fused: [], full: [] };
  const times: number[] = [];
  let mode = 'VECTOR_AND_KEYWORD';
  for (const [index, query] of set.queries.entries()) {
    const project = options.slugs.get(query.project) ?? query.project;
    const asked = options.compare
      ? await askEachWay(owner, query.text, project)
      : await askOnce(owner, query.text, project, options.limit);
    const relevant = query.relevant.map((id) => options.ids.get(id) ?? `missing:${id}`);
    for (const ranking of RANKINGS) {
      const order = asked.orders[ranking];
      if (order !== undefined) measured[ranking].push(measureRanking(order, relevant));
    }
    times.push(asked.milliseconds);
    if (asked.mode !== mode) mode = asked.mode;
    options.progress(index + 1, set.queries.length, 'asked');
  }
  return { measured, times: times.sort((one, other) => one - other), mode };
}

/** The intervals of all figures, in their order. */
export function intervalsOf(all: readonly RankingMetrics[]): MetricIntervals {
  const of = (figure: keyof RankingMetrics): MeanWithInterval => bootstrapMean(all.map((one) => one[figure]));
  return {
    recallAt5: of('recallAt5'),
    recallAt10: of('recallAt10'),
    hitAt5: of('hitAt5'),
    reciprocalRank: of('reciprocalRank'),
    ndcgAt5: of('ndcgAt5'),
  };
}
