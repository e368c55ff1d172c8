import { capture, type Driven, measure, retrieve } from './drive.js';
import { LARGE_TENANT_VECTORS } from '../../../prisma/tenant-partition.js';
import { partitionLarge } from './partition.js';
import { planTenant } from './plan.js';
import { measureRecall, type Recall } from './recall-check.js';
import type { LoadOptions, World } from './world.js';

/** One tenant of a size, asked by one client. */
export interface Growth {
  readonly memories: number;
  readonly hasPartition: boolean;
  readonly partitionSeconds: number | null;
  readonly retrieve: Driven;
  readonly capture: Driven;
  readonly recall: Recall | null;
}

const RECALL_QUESTIONS = 50;

/** Adds a tenant of so many memories, and asks it alone. */
export const measureGrowth = async (world: World, size: number, options: LoadOptions): Promise<Growth> => {
  const tenant = planTenant(size, world.pools.subjects, size % 97);
  const crowd = await world.add([tenant]);
  const [partition] = await partitionLarge(world);
  const hasPartition = size >= LARGE_TENANT_VECTORS;
  const drive = { clients: 1, seconds: options.seconds / 2, seed: options.seed + 3, draw: crowd.draw };
  return {
    memories: size,
    hasPartition,
    partitionSeconds: partition?.seconds ?? null,
    retrieve: await measure(world, { ...drive, send: retrieve }),
    capture: await measure(world, { ...drive, send: capture }),
    recall: hasPartition ? await measureRecall(world, tenant, crowd, RECALL_QUESTIONS) : null,
  };
};
