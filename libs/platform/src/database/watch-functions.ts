import type { DoorRole, Tx } from './context.js';
import type { SystemDoor, TenantSize, WaitingWork } from './system-functions.js';

type Call = <T>(role: DoorRole, work: (tx: Tx) => Promise<T>) => Promise<T>;

interface Nights {
  readonly wanted: number;
  readonly missed: number;
  readonly failed: number;
}

/** What is measured of all tenants together, by the worker. */
export const watchFunctions = (call: Call): Pick<SystemDoor, 'instanceGauges' | 'largestTenants'> => ({
  instanceGauges: () =>
    call('mem_worker', async (tx) => {
      const outbox = await tx.$queryRaw<WaitingWork[]>`
        select kind, waiting, stuck, oldest_seconds as "oldestSeconds" from watch_outbox()`;
      const [nights] = await tx.$queryRaw<Nights[]>`select wanted, missed, failed from watch_nights()`;
      if (nights === undefined) throw new Error('watch_nights returned no row');
      return { outbox, nightsWanted: nights.wanted, nightsMissed: nights.missed, nightsFailed: nights.failed };
    }),
  largestTenants: (limit) =>
    call(
      'mem_worker',
      (tx) => tx.$queryRaw<TenantSize[]>`
        select tenant_id as "tenantId", memories::float8 as memories, bytes::float8 as bytes
        from largest_tenants(${limit}::integer)`,
    ),
});
