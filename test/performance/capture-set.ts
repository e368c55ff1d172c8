import type { GraphQLClient } from '../support/graphql-client.js';
import { readOccurredAt, type NeutralSet } from './neutral-sets.js';

const CREATE_PROJECT = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }';
const CAPTURE_MANY = `mutation ($inputs: [CaptureInput!]!) {
  captureMany(inputs: $inputs) { results { captured { memory { id } } error { code message } } }
}`;
const AWAITING = 'query { status { awaitingEmbedding } }';
const BATCH = 50;

interface CaptureManyData {
  captureMany: {
    results: { captured: { memory: { id: string } } | null; error: { code: string; message: string } | null }[];
  };
}

/** Says how far a step has come. */
export type Progress = (done: number, of: number, what: string) => void;

/** Makes a project for each of a set's, owned by the client's person. Returns their slugs by the set's names. */
export async function createProjects(owner: GraphQLClient, set: NeutralSet): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  for (const name of new Set(set.memories.map((memory) => memory.project))) {
    const slug = `p${slugs.size}`;
    await owner.send(CREATE_PROJECT, { input: { slug, name } });
    slugs.set(name, slug);
  }
  return slugs;
}

/** Captures a set's memories for their projects. Returns the service's ids by the set's. */
export async function captureSet(
  author: GraphQLClient,
  set: NeutralSet,
  slugs: ReadonlyMap<string, string>,
  options: { merge: boolean; progress: Progress },
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
    const { captureMany } = await author.send<CaptureManyData>(CAPTURE_MANY, { inputs });
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

/** Long texts are embedded after the acknowledgement; a measurement waits until none is left. */
export async function embeddingsDone(owner: GraphQLClient): Promise<void> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const { status } = await owner.send<{ status: { awaitingEmbedding: number } }>(AWAITING);
    if (status.awaitingEmbedding === 0) return;
    if (Date.now() > deadline) throw new Error(`${status.awaitingEmbedding} memories are still without a vector.`);
    await new Promise((resume) => setTimeout(resume, 200));
  }
}
