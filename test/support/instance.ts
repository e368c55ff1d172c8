import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { startApiProgram, untilReady } from './api-program.js';
import { liftLimits, openTestDatabase, type TestDatabase } from './database.js';
import { lastingOperator, type GraphQLClient } from './graphql-client.js';
import { freePort, runProgram, startProgram, untilTrue, type Program } from './programs.js';

/** A whole service as it is deployed: the built programs as processes of their own, on real servers. */
export interface Instance {
  readonly url: string;
  readonly database: TestDatabase;
  readonly api: Program;
  readonly operator: GraphQLClient;
  /** Ends the programs and leaves the database, with nobody connected to it. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set; npm test sets it.`);
  return value;
};

export interface TemporalProgram {
  readonly program: Program;
  readonly address: string;
  readonly port: number;
}

/** A Temporal dev server that keeps its state in `folder`; started there again on the same port it goes on where it was. */
export const startTemporal = async (folder: string, on?: number): Promise<TemporalProgram> => {
  const port = on ?? (await freePort());
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  const database = ['--db-filename', join(folder, 'temporal.db'), '--log-level', 'error'];
  const cli = required('TEST_TEMPORAL_CLI');
  const program = startProgram(cli, [...args, ...database], {});
  const address = `127.0.0.1:${port}`;
  await untilTrue(
    'Temporal answers',
    async () => (await runProgramOf(cli, ['operator', 'cluster', 'health', '--address', address])) === 0,
    program,
  );
  return { program, address, port };
};

const runProgramOf = (command: string, args: readonly string[]): Promise<unknown> => {
  const program = startProgram(command, args, {});
  return new Promise((resolve) => program.child.once('close', resolve));
};

export interface InstanceOptions {
  /** Also Temporal and the built worker. */
  readonly worker: boolean;
  /** A database to clone instead of the empty template; nobody may be connected to it. */
  readonly from?: string;
  /** A file of signing keys, so that tokens of another instance hold here; default keys of its own. */
  readonly keysFile?: string;
  /** Where the API listens; default: a free port. */
  readonly port?: number;
  /** More of the API's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes a file of signing keys. */
export const makeKeys = (file: string): Promise<string> => runProgram(['apps/api/dist/keys-cli.js', '--out', file], {});

/** Starts the built API on a database of its own. */
export const startInstance = async (options: InstanceOptions): Promise<Instance> => {
  const folder = await mkdtemp(join(tmpdir(), 'tempera-instance-'));
  const database = await openTestDatabase(options.from);
  await liftLimits(database);
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.splice(0).reverse()) await program.stop();
    await database.doors.close();
  };
  const close = async (): Promise<void> => {
    await stop();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const keysFile = options.keysFile ?? join(folder, 'keys.json');
    if (options.keysFile === undefined) await makeKeys(keysFile);
    const api = await startApiProgram({
      ...{ urls: database.urls, keysFile, env: options.env ?? {} },
      ...(options.port === undefined ? {} : { port: options.port }),
    });
    const { url } = api;
    running.push(api.program);
    if (options.worker) running.push(...(await startWorker(folder, database)));
    await untilReady(api);
    const operator = lastingOperator(url, () => createOperatorCode(database.urls.migrator, 'test'));
    return { url, database, api: api.program, operator, stop, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const startWorker = async (folder: string, database: TestDatabase): Promise<Program[]> => {
  const temporal = await startTemporal(folder);
  return [temporal.program, startWorkerProgram(database, temporal.address)];
};

/** The built worker as a process of its own. */
export const startWorkerProgram = (
  { urls }: Pick<TestDatabase, 'urls'>,
  temporalAddress: string,
  env: Readonly<Record<string, string>> = {},
): Program =>
  startProgram(process.execPath, ['apps/worker/dist/main.js'], {
    DATABASE_WORKER_URL: urls.worker,
    DATABASE_APP_URL: urls.app,
    DATABASE_TEXT_URL: urls.text,
    LOG_LEVEL: 'warn',
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TASK_QUEUE: 'tempera',
    ...env,
  });
