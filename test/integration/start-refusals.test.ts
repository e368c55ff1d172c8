import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { runProgram, startProgram } from '../support/programs.js';

/** A database, or a login to it, that would not keep tenants apart or not keep what it acknowledged. */
interface Unfit {
  readonly name: string;
  readonly program: 'api' | 'worker';
  /** Done by a superuser to a database of its own. */
  readonly sql?: string;
  readonly change?: (database: TestDatabase) => Record<string, string>;
  readonly cause: RegExp;
}

const production = { TEMPERA_PROFILE: 'production' };

const UNFIT: readonly Unfit[] = [
  ...(['APP', 'TEXT', 'OPERATOR'] as const).map((door): Unfit => ({
    name: `a superuser behind the door ${door}`,
    program: 'api',
    change: ({ adminUrl }) => ({ [`DATABASE_${door}_URL`]: adminUrl }),
    cause: /superuser/,
  })),
  {
    name: 'a superuser, for the worker',
    program: 'worker',
    change: ({ adminUrl }) => ({ DATABASE_WORKER_URL: adminUrl }),
    cause: /superuser/,
  },
  {
    name: 'the login that may become the owner',
    program: 'api',
    change: ({ urls }) => ({ DATABASE_APP_URL: urls.migrator }),
    cause: /mem_app/,
  },
  { name: 'the owner of a table', program: 'api', sql: 'alter table vote owner to mem_app', cause: /owns tables/ },
  { name: 'a table unforced', program: 'api', sql: 'alter table memory no force row level security', cause: /memory/ },
  {
    name: 'a partition open, for the worker',
    program: 'worker',
    sql: 'alter table embedding_default disable row level security',
    cause: /embedding_default/,
  },
  // Where the tests' server has fsync on, it is below the floor of production.
  { name: 'fsync off in production', program: 'api', change: () => production, cause: /fsync off|production does not/ },
  {
    name: 'fsync off in production, for the worker',
    program: 'worker',
    change: () => production,
    cause: /fsync off|production does not/,
  },
];

let folder: string;
let keysFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-unfit-'));
  keysFile = join(folder, 'keys.json');
  await runProgram(['apps/api/dist/keys-cli.js', '--out', keysFile], {});
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const environmentOf = ({ urls }: TestDatabase): Record<string, string> => ({
  DATABASE_APP_URL: urls.app,
  DATABASE_TEXT_URL: urls.text,
  DATABASE_OPERATOR_URL: urls.operator,
  DATABASE_WORKER_URL: urls.worker,
  API_PORT: '0',
  TOKEN_ISSUER: 'http://api.test',
  TOKEN_AUDIENCE: 'http://api.test/graphql',
  SIGNING_KEYS_FILE: keysFile,
  // Nothing listens there; whoever got as far as asking it has begun to work.
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  LOG_LEVEL: 'info',
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly seconds: number;
}

const start = async ({ program, sql, change }: Unfit): Promise<Ended> => {
  const database = await openTestDatabase();
  try {
    if (sql !== undefined) await asSuperuser(database.adminUrl, (client) => client.query(sql));
    const began = performance.now();
    const env = { ...environmentOf(database), ...change?.(database) };
    const started = startProgram(process.execPath, [`apps/${program}/dist/main.js`], env);
    const code = await new Promise<number | null>((resolve) => started.child.once('close', resolve));
    return { code, output: started.output(), seconds: (performance.now() - began) / 1000 };
  } finally {
    await database.close();
  }
};

describe('attack 1.19: a start on a database that would not keep tenants apart', () => {
  it('is refused: the program names the cause, never listens or works, and ends', async () => {
    const times: number[] = [];
    const begun: string[] = [];
    const queue = [...UNFIT];
    const walk = async (): Promise<void> => {
      for (let unfit = queue.shift(); unfit !== undefined; unfit = queue.shift()) {
        const { code, output, seconds } = await start(unfit);
        const isRefused = code !== 0 && code !== null && unfit.cause.test(output);
        if (!isRefused || /listening|waiting for Temporal/i.test(output))
          begun.push(`${unfit.name}: ${code} ${output}`);
        times.push(seconds);
      }
    };
    await Promise.all([walk(), walk()]);
    const slowest = Math.max(...times);
    reportAttack('1.19', UNFIT.length, { started: begun.length }, `API and worker; slowest ${slowest.toFixed(1)} s`);
    expect(begun).toEqual([]);
    // The target is 5 s, and is read off the line above.
    expect(slowest).toBeLessThan(50);
  }, 240_000);
});
