import type pg from 'pg';

/** What it would take without links: every vector against every other. */
export interface AllPairs {
  readonly dotProducts: number;
  readonly seconds: number;
  /** Pairs above the edge threshold. */
  readonly near: number;
}

/** The cosine from which two memories are neighbours, as the English encoder's card has it. */
const EDGE = 0.8;

const readVectors = async (client: pg.Client, tenantId: string): Promise<Float32Array[]> => {
  const { rows } = await client.query<{ vector: string }>(
    'select vector::text as vector from embedding where tenant_id = $1',
    [tenantId],
  );
  return rows.map(({ vector }) => Float32Array.from(JSON.parse(vector) as number[]));
};

const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/** Compares them all; the reading is not counted. */
export const allPairs = async (client: pg.Client, tenantId: string): Promise<AllPairs> => {
  const vectors = await readVectors(client, tenantId);
  const begun = performance.now();
  let near = 0;
  for (const [at, one] of vectors.entries()) {
    for (let other = at + 1; other < vectors.length; other += 1) {
      if (dot(one, vectors[other] ?? one) >= EDGE) near += 1;
    }
  }
  const dotProducts = (vectors.length * (vectors.length - 1)) / 2;
  return { dotProducts, seconds: Math.round((performance.now() - begun) / 10) / 100, near };
};
