import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { readOccurredAt, type NeutralSet } from './neutral-sets.js';
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

const CAPTURE_MANY = `mutation ($inputs: [CaptureInput!]!) {
  captureMany(inputs: $inputs) { results { captured { memory { id } } error { code message } } }
}`;
const RETRIEVE = `mutation ($input: RetrieveInput!) { retrieve(input: $input) { mode hits { memory { id } } } }`;
const AWAITING = 'query { status { awaitingEmbedding } }';
const BATCH = 50;

/** Captures one set into a tenant of its own and asks every query of it through the running service. */
export async function runRecallSet(
  operator: GraphQLClient,
  set: NeutralSet,
  options: { merge: boolean; limit: number; progress: (done: number, of: number, what: string) => void },
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

async function createProjects(owner: GraphQLClient, set: NeutralSet): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const name of new Set(set.memories.map((memory) => memory.project))) {
    const slug = `p${slugs.size}`;
    await owner.send('mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }', {
      input: { slug, name },
    });
    slugs.set(name, slug);
  }
  return slugs;
}

async function captureSet(
  owner: GraphQLClient,
  set: NeutralSet,
  slugs: ReadonlyMap<string, string>,
  options: { merge: boolean; progress: (done: number, of: number, what: string) => void },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let at = 0; at < set.memories.length; at += BATCH) {
    const batch = set.memories.slice(at, at + BATCH);
    const inputs = batch.map((memory) => ({
      text: memory.text,
      kind: 'BACKGROUND',
      scope: 'PROJECT',
      project: slugs.get(memory.project),
      occurredAt: readOccurredAt(memory.occurredAt),
      idempotencyKey: `${set.name}/${memory.id}`.slice(0, 200),
      merge: options.merge ? 'AUTO' : 'NEVER',
      source: 'IMPORT',
    }));
    const { captureMany } = await owner.send<CaptureManyData>(CAPTURE_MANY, { inputs });
    for (const [index, result] of captureMany.results.entries()) {
      const memory = batch[index];
      if (result.captured === null || memory === undefined) {
        throw new Error(`${set.name} ${memory?.id}: ${result.error?.code} ${result.error?.message}`);
      }
      ids.set(memory.id, result.captured.memory.id);
    }
    options.progress(ids.size, set.memories.length, 'captured');
  }
  return ids;
}

interface CaptureManyData {
  captureMany: {
    results: { captured: { memory: { id: string } } | null; error: { code: string; message: string } | null }[];
  };
}

/** Long texts are embedded after the acknowledgement; a measurement waits until none is left. */
async function embeddingsDone(owner: GraphQLClient): Promise<void> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const { status } = await owner.send<{ status: { awaitingEmbedding: number } }>(AWAITING);
    if (status.awaitingEmbedding === 0) return;
    if (Date.now() > deadline) throw new Error(`${status.awaitingEmbedding} memories are still without a vector.`);
    await new Promise((resume) => setTimeout(resume, 200));
  }
}
