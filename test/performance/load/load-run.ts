import { loadavg } from 'node:os';
import { LARGE_TENANT_VECTORS } from '../../../prisma/tenant-partition.js';
import { type Compared, compareWithBare } from './bare.js';
import { say } from './say.js';
import { capture, type Driven, measure, retrieve } from './drive.js';
import { type Growth, measureGrowth } from './growth.js';
import { measureNeighbour, type Neighbour } from './neighbour.js';
import { partitionLarge } from './partition.js';
import { type Memory, memoryOf } from './processes.js';
import { measureRecall, type Recall } from './recall-check.js';
import { readServer, type Server } from './server.js';
import { inWorld, type LoadOptions, type World } from './world.js';

/** Everything that one run measured. */
export interface LoadReport {
  readonly options: LoadOptions;
  readonly server: Server;
  /** Of the machine, at each beginning: what else it had to do. */
  readonly loadAverages: readonly number[];
  readonly largest: number;
  readonly partitions: readonly { readonly memories: number; readonly seconds: number }[];
  readonly retrieve: readonly Driven[];
  readonly capture: readonly Driven[];
  readonly memory: Memory;
  readonly bare: Compared;
  readonly neighbour: Neighbour;
  readonly recall: readonly Recall[];
  readonly growth: readonly Growth[];
}

const RECALL_QUESTIONS = 100;

const drive = async (
  world: World,
  { clients, seconds, seed }: LoadOptions,
  send: typeof retrieve,
): Promise<Driven[]> => {
  const done: Driven[] = [];
  for (const number of clients) {
    const driven = await measure(world, { clients: number, seconds, seed, draw: world.crowd.draw, send });
    say(`${send === retrieve ? 'retrieve' : 'capture'} by ${number}`, driven);
    done.push(driven);
  }
  return done;
};

/** Connections, plans and caches that a running service has. */
const warmUp = (world: World, { seconds, seed }: LoadOptions): Promise<unknown> =>
  measure(world, { clients: 4, seconds: Math.min(5, seconds), seed: seed + 5, draw: world.crowd.draw, send: retrieve });

const run = async (world: World, options: LoadOptions): Promise<LoadReport> => {
  const { instance, superuser, plan } = world;
  const loadAverages: number[] = [];
  const note = (): number => loadAverages.push(Math.round((loadavg()[0] ?? 0) * 10) / 10);
  const partitions = await partitionLarge(world);
  await warmUp(world, options);
  note();
  const retrieved = await drive(world, options, retrieve);
  note();
  const captured = await drive(world, options, capture);
  const memory = await memoryOf(instance.api.child.pid ?? 0, superuser);
  note();
  const bare = await compareWithBare(world, options.seconds, options.seed);
  say('beside bare encoder and SQL', bare);
  const neighbour = await measureNeighbour(world, options.seconds, options.seed);
  say('neighbour', neighbour);
  const large = plan.filter(({ memories }) => memories >= LARGE_TENANT_VECTORS);
  const recall: Recall[] = [];
  for (const tenant of large) recall.push(await measureRecall(world, tenant, world.crowd, RECALL_QUESTIONS));
  say('recall', recall);
  note();
  const growth: Growth[] = [];
  for (const size of options.growth) {
    const grown = await measureGrowth(world, size, options);
    say(`growth to ${size}`, grown);
    growth.push(grown);
  }
  note();
  return {
    ...{ options, server: await readServer(superuser), loadAverages, largest: plan[0]?.memories ?? 0, partitions },
    ...{ retrieve: retrieved, capture: captured, memory, bare, neighbour },
    ...{ recall: [...recall, ...growth.flatMap((one) => one.recall ?? [])], growth },
  };
};

/** Fills an instance and measures it. */
export const runLoad = (options: LoadOptions): Promise<LoadReport> => inWorld(options, (world) => run(world, options));
