import { readKeyFile } from '@tempera/platform';
import pg from 'pg';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { freePort } from '../../support/programs.js';
import { type Instance, makeKeys, startInstance } from '../../support/instance.js';
import { progressOf } from '../show-progress.js';
import { type Crowd, crowdOf, tokensFor } from './askers.js';
import { LoadClient } from './http-client.js';
import { type PlannedTenant, planTenants } from './plan.js';
import { type BenchEncoder, makePools, openEncoder, type Pools } from './pools.js';
import { type Asker, seedTenants, seenOfSubjects } from './seed-tenants.js';
import { type Vocabulary, vocabularyOf } from './texts.js';

/** How much there is, and how long each measurement lasts. */
export interface LoadOptions {
  readonly memories: number;
  readonly tenants: number;
  readonly clients: readonly number[];
  /** Sizes that one tenant grows to. */
  readonly growth: readonly number[];
  readonly seconds: number;
  /** Words of each list of the vocabulary: 20 make 400 subjects. */
  readonly words: number;
  readonly seed: number;
}

/** A filled instance that answers, and what is needed to ask it. */
export interface World {
  readonly instance: Instance;
  readonly metricsUrl: string;
  readonly encoder: BenchEncoder;
  readonly vocabulary: Vocabulary;
  readonly pools: Pools;
  readonly plan: readonly PlannedTenant[];
  readonly crowd: Crowd;
  readonly client: LoadClient;
  readonly token: (asker: Asker) => Promise<string>;
  /** The superuser: fills, and asks what no door would tell. */
  readonly superuser: pg.Client;
  /** More tenants beside those of the plan. */
  readonly add: (plan: readonly PlannedTenant[]) => Promise<Crowd>;
}

/** Undoes what was begun, the last first. */
type Endings = (() => Promise<unknown>)[];

const open = async (options: LoadOptions, endings: Endings): Promise<World> => {
  const folder = await mkdtemp(join(tmpdir(), 'tempera-load-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  const keysFile = join(folder, 'keys.json');
  await makeKeys(keysFile);
  const metricsPort = await freePort();
  const env = { METRICS_PORT: String(metricsPort) };
  const instance = await startInstance({ worker: false, keysFile, env });
  endings.push(instance.close);
  const encoder = await openEncoder();
  endings.push(encoder.dispose);
  const superuser = new pg.Client({ connectionString: instance.database.adminUrl });
  await superuser.connect();
  endings.push(() => superuser.end());
  const client = new LoadClient(instance.url);
  endings.push(() => Promise.resolve(client.close()));
  const vocabulary = vocabularyOf(options.words);
  const pools = await makePools(superuser, encoder, vocabulary, progressOf('vocabulary'));
  const add = async (plan: readonly PlannedTenant[], what: string): Promise<Crowd> => {
    const askers = await seedTenants(superuser, pools, plan, progressOf(what));
    return crowdOf(plan, askers, await seenOfSubjects(superuser, askers), pools.subjects);
  };
  const plan = planTenants(options.memories, options.tenants, pools.subjects);
  const crowd = await add(plan, `${options.memories} memories in ${options.tenants} tenants`);
  const token = tokensFor(instance.url, await readKeyFile(keysFile));
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const grow = (more: readonly PlannedTenant[]): Promise<Crowd> => add(more, `a tenant of ${more[0]?.memories ?? 0}`);
  return { instance, metricsUrl, encoder, vocabulary, pools, plan, crowd, client, token, superuser, add: grow };
};

/** Fills an instance of its own, works with it, and takes it away again. */
export const inWorld = async <T>(options: LoadOptions, work: (world: World) => Promise<T>): Promise<T> => {
  const endings: Endings = [];
  try {
    return await work(await open(options, endings));
  } finally {
    for (const end of endings.reverse()) await end();
  }
};
