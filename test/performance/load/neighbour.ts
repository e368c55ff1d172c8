import type { PlannedTenant } from './plan.js';
import { answeredOf, type Done, driveClients, retrieve } from './drive.js';
import { type Times, timesOf } from './times.js';
import type { World } from './world.js';

/** One tenant's times while another is quiet, and while ten clients of it ask without a pause. */
export interface Neighbour {
  readonly memories: number;
  readonly neighboursMemories: number;
  readonly alone: Times;
  readonly beside: Times;
  /** 95th percentiles: beside by alone. */
  readonly ratio: number;
}

const NOISY_CLIENTS = 10;
/** In turns, because the machine may change its pace meanwhile. */
const ROUNDS = 2;

/** The two: the one that is measured, and the largest that has no index of its own to help it. */
const chooseTwo = (plan: readonly PlannedTenant[]): { quiet: PlannedTenant; noisy: PlannedTenant } => {
  const [noisy, quiet] = [plan[1], plan[Math.min(plan.length - 1, 19)]];
  if (noisy === undefined || quiet === undefined || noisy === quiet) throw new Error('It takes three tenants.');
  return { quiet, noisy };
};

export const measureNeighbour = async (world: World, seconds: number, seed: number): Promise<Neighbour> => {
  const { quiet, noisy } = chooseTwo(world.plan);
  const inTenant =
    ({ tenantId }: PlannedTenant) =>
    (random: () => number) =>
      world.crowd.drawIn(tenantId, random);
  const one = (): Promise<Done[]> =>
    driveClients(world, { clients: 1, seconds: seconds / ROUNDS, seed, draw: inTenant(quiet), send: retrieve });
  const [alone, beside]: [Done[], Done[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await one()));
    const quietAgain = new AbortController();
    const options = {
      clients: NOISY_CLIENTS,
      seconds: Infinity,
      seed: seed + 1,
      draw: inTenant(noisy),
      send: retrieve,
    };
    const noise = driveClients(world, { ...options, stop: quietAgain.signal });
    beside.push(...(await one().finally(() => quietAgain.abort())));
    await noise;
  }
  const of = (done: readonly Done[]): Times => timesOf(answeredOf(done).map(({ milliseconds }) => milliseconds));
  const [before, during] = [of(alone), of(beside)];
  return {
    memories: quiet.memories,
    neighboursMemories: noisy.memories,
    alone: before,
    beside: during,
    ratio: Math.round((100 * during.p95) / before.p95) / 100,
  };
};
