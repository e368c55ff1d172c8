import { asId, type TenantId } from '@tempera/core';
import { createDoors, type Doors, findCandidates, type SearchCandidate } from '@tempera/platform';
import { randomFrom } from '../random.js';
import type { Asked, Crowd } from './askers.js';
import { nextTurn } from './drive.js';
import { questionAbout } from './texts.js';
import type { World } from './world.js';

/** Through the index, against the exact scan: as the same people, with the same questions. */
export interface Recall {
  readonly memories: number;
  readonly questions: number;
  /** Of the exact nearest ten, how many the index brought. */
  readonly recallAt10: number;
  /** Of the exact nearest two hundred. */
  readonly recallAt200: number;
  /** Searches that brought fewer than the exact one. */
  readonly short: number;
}

const PER_LEG = 200;

const nearest = (found: readonly SearchCandidate[], encoder: World['encoder']): string[] =>
  found
    .map(({ id, cosines }) => ({ id, cosine: cosines.get(encoder.id) ?? -1 }))
    .sort((one, other) => other.cosine - one.cosine || (one.id < other.id ? -1 : 1))
    .slice(0, PER_LEG)
    .map(({ id }) => id);

/** An exact scan of a very large tenant takes longer than a request may. */
const PATIENCE_MS = 60_000;

const searchBoth = async (
  world: World,
  doors: Doors,
  asked: Asked,
): Promise<{ exact: string[]; indexed: string[] }> => {
  const { encoder, vocabulary } = world;
  const vector = await encoder.question(questionAbout(vocabulary, asked.subject, nextTurn()));
  const request = {
    tenantId: asId<TenantId>(asked.asker.tenantId),
    question: [{ encoder: encoder.id, vector, tau: 1, likeQuestion: 1 }],
    ...{ terms: [], filter: {}, now: new Date(), perLeg: PER_LEG },
  };
  return doors.asTenant(asked.asker, async (tx) => ({
    exact: nearest(await findCandidates(tx, { ...request, indexFromVectors: 1_000_000_000 }), encoder),
    indexed: nearest(await findCandidates(tx, request), encoder),
  }));
};

const shareOf = (exact: readonly string[], found: readonly string[]): number => {
  const there = new Set(found);
  return exact.length === 0 ? 1 : exact.filter((id) => there.has(id)).length / exact.length;
};

/** The recall of a tenant that has a partition. */
export const measureRecall = async (
  world: World,
  { tenantId, memories }: { readonly tenantId: string; readonly memories: number },
  crowd: Crowd,
  questions: number,
): Promise<Recall> => {
  const random = randomFrom(11);
  const { urls } = world.instance.database;
  const doors = createDoors({ appUrl: urls.app, poolSize: 1, statementTimeoutMs: PATIENCE_MS });
  let [at10, at200, short] = [0, 0, 0];
  try {
    for (let asked = 0; asked < questions; asked += 1) {
      const { exact, indexed } = await searchBoth(world, doors, crowd.drawIn(tenantId, random));
      at10 += shareOf(exact.slice(0, 10), indexed.slice(0, 10));
      at200 += shareOf(exact, indexed);
      if (indexed.length < exact.length) short += 1;
    }
  } finally {
    await doors.close();
  }
  const mean = (sum: number): number => Math.round((10_000 * sum) / questions) / 10_000;
  return { memories, questions, recallAt10: mean(at10), recallAt200: mean(at200), short };
};
