import { cpus, totalmem } from 'node:os';
import type pg from 'pg';

/** Where it was measured. */
export interface Server {
  readonly postgres: string;
  readonly pgvector: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly sharedBuffers: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
}

export const readServer = async (client: pg.Client): Promise<Server> => {
  const { rows } = await client.query<
    Pick<Server, 'postgres' | 'pgvector' | 'fsync' | 'synchronousCommit' | 'sharedBuffers'>
  >(
    `select current_setting('server_version') as postgres, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as "synchronousCommit", current_setting('shared_buffers') as "sharedBuffers",
       (select extversion from pg_extension where extname = 'vector') as pgvector`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The server told nothing of itself.');
  return { ...row, cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30), node: process.version };
};
