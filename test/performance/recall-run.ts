import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { captureSet, createProjects, embeddingsDone, type Progress } from './capture-set.js';
import type { NeutralSet } from './neutral-sets.js';
import { meanMetrics, measureRanking, type RankingMetrics } from './ranking-metrics.js';

/** What one set gave. Milliseconds are whole requests over loopback and are for orientation only. */
export interface RecallReport extends RankingMetrics {
  set: string;
  memories: number;
  queries: number;
  captureMs: number;
  retrieveMedianMs: number;
  retrieveP95Ms: number;
  mode: string;
}

const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { mode hits { memory { id } } } }`;

/** Captures one set into a tenant of its own and asks every query of it through the running service. */
export async function runRecallSet(
  operator: GraphQLClient,
  set: NeutralSet,
  options: { merge: boolean; limit: number; progress: Progress },
): Promise<RecallReport> {
  const owner = await createTenant(operator, `bench ${set.name}`);
  const slugs = await createProjects(owner, set);
  const started = performance.now();
  const ids = await captureSet(owner, set, slugs, options);
  await embeddingsDone(owner);
  const captureMs = performance.now() - started;
  const measured: RankingMetrics[] = [];
  const times: number[] = [];
  let mode = 'VECTOR_AND_KEYWORD';
  for (const [index, query] of set.queries.entries()) {
    const asked = performance.now();
    const { retrieve } = await owner.send<{ retrieve: { mode: string; hits: { memory: { id: string } }[] } }>(
      RETRIEVE,
      {
        input: { query: query.text, limit: options.limit, project: slugs.get(query.project) },
      },
    );
    times.push(performance.now() - asked);
    if (retrieve.mode !== mode) mode = retrieve.mode;
    const relevant = query.relevant.map((id) => ids.get(id) ?? `missing:${id}`);
    measured.push(
      measureRanking(
        retrieve.hits.map((hit) => hit.memory.id),
        relevant,
      ),
    );
    options.progress(index + 1, set.queries.length, 'asked');
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number): number => times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0;
  return {
    set: set.name,
    memories: set.memories.length,
    queries: set.queries.length,
    ...meanMetrics(measured),
    captureMs,
    retrieveMedianMs: quantile(0.5),
    retrieveP95Ms: quantile(0.95),
    mode,
  };
}
