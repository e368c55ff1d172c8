import { LARGE_TENANT_VECTORS, largeTenants, partitionTenant } from '../../../prisma/tenant-partition.js';
import type { World } from './world.js';

/** Gives those who are due their partition. */
export const partitionLarge = async ({ instance }: World): Promise<{ memories: number; seconds: number }[]> => {
  const made: { memories: number; seconds: number }[] = [];
  const { migrator } = instance.database.urls;
  for (const { tenantId, vectors } of await largeTenants(migrator, LARGE_TENANT_VECTORS)) {
    const begun = performance.now();
    const { moved } = await partitionTenant(migrator, tenantId);
    if (moved > 0) made.push({ memories: vectors, seconds: Math.round((performance.now() - begun) / 100) / 10 });
  }
  return made;
};
