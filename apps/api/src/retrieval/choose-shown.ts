import { type MemoryId, selectDiverse, type TenantId } from '@tempera/core';
import { pairwiseCosines, type RankedMemory, type Tx } from '@tempera/platform';

/** Among so many of the best, variety is looked for: with more, far weaker ones could come in for being different. */
const POOL = 50;

/**
 * The hits of an answer. With `lambda` 1, the default, by score alone and without reading a vector: variety cost recall
 * wherever it was measured. Below, near-duplicates of what stands already give way, within the first class and the rest.
 */
export const chooseShown = async (
  tx: Tx,
  tenantId: TenantId,
  ranked: readonly RankedMemory[],
  { lambda, limit }: { readonly lambda: number; readonly limit: number },
): Promise<RankedMemory[]> => {
  if (lambda === 1 || ranked.length < 2) return ranked.slice(0, limit);
  const pool = ranked.slice(0, Math.max(POOL, limit));
  const cosines = await pairwiseCosines(
    tx,
    tenantId,
    pool.map(({ candidate }) => candidate.id),
  );
  const similarity = (one: MemoryId, other: MemoryId): number =>
    cosines.get(one < other ? `${one} ${other}` : `${other} ${one}`) ?? 0;
  const inClass = (isFirst: boolean): RankedMemory[] => {
    const members = new Map(
      pool.filter((memory) => memory.isFirst === isFirst).map((memory) => [memory.candidate.id, memory]),
    );
    const candidates = [...members.values()].map(({ candidate: { id }, score }) => ({ id, score }));
    return selectDiverse(candidates, similarity, lambda, limit).flatMap((id) => members.get(id) ?? []);
  };
  return [...inClass(true), ...inClass(false)].slice(0, limit);
};
