import {
  type GraphReader,
  linksAt,
  membersOfSessions,
  nodesById,
  possibleSources,
  type SnapshotNode,
  type Tx,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import type { NightlyTools } from './page.js';

/** Ids asked for in one statement, and rows of one answer. */
const CHUNK = 1_000;

/** Reads a run's graph in small transactions, showing life after each. */
export const snapshotReader = (
  { doors }: Pick<NightlyTools, 'doors'>,
  run: RunRef,
  sourceThreshold: number,
  beat: () => void,
): GraphReader => {
  const read = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const rows = await doors.asWorker(run.tenantId, work);
    beat();
    return rows;
  };
  const inChunks = async <T>(ids: readonly string[], work: (tx: Tx, ids: string[]) => Promise<T[]>): Promise<T[]> => {
    const found: T[] = [];
    for (let at = 0; at < ids.length; at += CHUNK) {
      for (const row of await read((tx) => work(tx, ids.slice(at, at + CHUNK)))) found.push(row);
    }
    return found;
  };
  const allPages = async (work: (tx: Tx, after: string | null) => Promise<{ id: string }[]>): Promise<string[]> => {
    const ids: string[] = [];
    for (let after: string | null = null; ;) {
      const last: string | null = after;
      const page = await read((tx) => work(tx, last));
      for (const { id } of page) ids.push(id);
      if (page.length < CHUNK) return ids;
      after = ids.at(-1) ?? null;
    }
  };
  const nodes = (ids: readonly string[]): Promise<SnapshotNode[]> =>
    inChunks(ids, (tx, chunk) => nodesById(tx, run, chunk));
  return {
    nodes,
    sources: async () => nodes(await allPages((tx, after) => possibleSources(tx, run, sourceThreshold, after, CHUNK))),
    links: async (ids) => {
      const wanted = new Set(ids);
      return inChunks(ids, async (tx, chunk) => {
        const here = new Set(chunk);
        // A link between two chunks comes with both; the chunk it starts from keeps it.
        const links = await linksAt(tx, run.tenantId, chunk);
        return links.filter(({ a }) => here.has(a) || !wanted.has(a));
      });
    },
    members: async (sessionIds) => {
      const ids: string[] = [];
      for (let at = 0; at < sessionIds.length; at += CHUNK) {
        const sessions = sessionIds.slice(at, at + CHUNK);
        for (const id of await allPages((tx, after) => membersOfSessions(tx, run, sessions, after, CHUNK)))
          ids.push(id);
      }
      return ids;
    },
  };
};
