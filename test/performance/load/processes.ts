import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Memory of the processes of one instance, in MiB. */
export interface Memory {
  readonly api: number | null;
  /** All backends of its database, what they share counted once. */
  readonly backends: number | null;
  readonly connections: number;
}

/** Processor time so far, in seconds. */
export interface Processor {
  readonly api: number;
  readonly backends: number;
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const kilobytes = (text: string, field: string): number | null => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

const backendsOf = async (client: pg.Client): Promise<number[]> => {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
};

/** Null where the machine does not tell: no Linux, or a server elsewhere. */
export const memoryOf = async (apiPid: number, client: pg.Client): Promise<Memory> => {
  const pids = await backendsOf(client);
  const resident = kilobytes(await read(`/proc/${apiPid}/status`), 'VmRSS');
  const shares = await Promise.all(pids.map(async (pid) => kilobytes(await read(`/proc/${pid}/smaps_rollup`), 'Pss')));
  const known = shares.filter((share) => share !== null);
  const inMebibytes = (value: number): number => Math.round(value / 1_024);
  return {
    api: resident === null ? null : inMebibytes(resident),
    backends: known.length === 0 ? null : inMebibytes(known.reduce((sum, share) => sum + share, 0)),
    connections: pids.length,
  };
};

/** Ticks of the clock by which Linux counts. */
const TICKS = 100;

const secondsOf = async (pid: number): Promise<number> => {
  const fields = (await read(`/proc/${pid}/stat`)).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS;
};

/** What both sides have worked; the difference of two readings tells more than the clock on a machine that is shared. */
export const processorOf = async (apiPid: number, client: pg.Client): Promise<Processor> => {
  const seconds = await Promise.all((await backendsOf(client)).map(secondsOf));
  return { api: await secondsOf(apiPid), backends: seconds.reduce((sum, one) => sum + one, 0) };
};
