import { createHash } from 'node:crypto';
import type { GraphQLClient } from '../support/graphql-client.js';
import { inPairs } from './in-pairs.js';
import { readOccurredAt, type NeutralSet } from './neutral-sets.js';

const CREATE_PROJECT = 'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }';
const CAPTURE_MANY = `mutation ($inputs: [CaptureInput!]!) {
  captureMany(inputs: $inputs) { results { captured { memory { id } } error { code message } } }
}`;
const AWAITING = 'query { status { awaitingEmbedding } }';
const BATCH = 25;

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
  const moments = momentsOf(set);
  const batches = Array.from({ length: Math.ceil(set.memories.length / BATCH) }, (_, at) =>
    set.memories.slice(at * BATCH, (at + 1) * BATCH),
  );
  await inPairs(batches, async (batch) => {
    const inputs = batch.map((memory) => ({
      text: memory.text,
      kind: 'BACKGROUND',
      scope: 'PROJECT',
      project: slugs.get(memory.project),
      occurredAt: moments.get(memory.id),
      sessionKey: sessionOf(memory),
      idempotencyKey: `${set.name}/${memory.id}`.slice(0, 200),
      merge: options.merge ? 'AUTO' : 'NEVER',
      source: 'IMPORT',
    }));
    for (const [index, id] of (await captureBatch(author, inputs)).entries()) ids.set(batch[index]?.id ?? '', id);
    options.progress(ids.size, set.memories.length, 'captured');
  });
  return ids;
}

/**
 * When each dated memory was told. What was told on one occasion follows each other by a millisecond, in the order of the set: two lanes of
 * captures would leave it to chance.
 */
export const momentsOf = ({ memories }: Pick<NeutralSet, 'memories'>): ReadonlyMap<string, string> => {
  const told = new Map<string, number>();
  const moments = new Map<string, string>();
  for (const { id, project, occurredAt } of memories) {
    const begin = readOccurredAt(occurredAt);
    if (begin === undefined) continue;
    const occasion = JSON.stringify([project, occurredAt]);
    const place = told.get(occasion) ?? 0;
    told.set(occasion, place + 1);
    moments.set(id, new Date(Date.parse(begin) + place).toISOString());
  }
  return moments;
};

/** How often what a busy service gave up is sent again: each capture has a key, so none is made twice. */
const ATTEMPTS = 5;

const captureBatch = async (author: GraphQLClient, inputs: readonly object[]): Promise<string[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const { captureMany } = await author.send<CaptureManyData>(CAPTURE_MANY, { inputs });
    const failure = captureMany.results.find(({ captured }) => captured === null)?.error;
    if (failure === undefined) return captureMany.results.map(({ captured }) => captured?.memory.id ?? '');
    if (failure?.code !== 'UNAVAILABLE' || attempt === ATTEMPTS)
      throw new Error(`${failure?.code} ${failure?.message}`);
  }
};

/**
 * What was said on one occasion is one session. Of what has no date nothing says that it belongs together, though all of it is
 * captured at once: a session each.
 */
const sessionOf = ({ id, project, occurredAt }: NeutralSet['memories'][number]): string =>
  createHash('sha256')
    .update(JSON.stringify(occurredAt === undefined ? [id] : [project, occurredAt]))
    .digest('hex');

/** As long as nothing more gets embedded before a measurement gives up. */
const PATIENCE_MS = 300_000;

/** Long texts are embedded after the acknowledgement; a measurement waits until none is left. */
export async function embeddingsDone(owner: GraphQLClient, progress?: Progress): Promise<void> {
  let [most, least, since] = [0, Infinity, Date.now()];
  for (;;) {
    const { awaitingEmbedding: left } = (await owner.send<{ status: { awaitingEmbedding: number } }>(AWAITING)).status;
    if (left < least) [least, since] = [left, Date.now()];
    most = Math.max(most, left);
    if (most > 0) progress?.(most - left, most, 'embedded later');
    if (left === 0) return;
    if (Date.now() - since > PATIENCE_MS) throw new Error(`${left} memories are still without a vector.`);
    await new Promise((resume) => setTimeout(resume, 200));
  }
}
