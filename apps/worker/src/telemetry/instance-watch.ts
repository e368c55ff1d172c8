import { type Doors, gauge, type Refresh } from '@tempera/platform';

/** Only so many tenants are told apart, the largest: each is a series of its own at the collector. */
const TENANTS = 10;
/** Several collectors, or one in a hurry, ask the database no more often. */
const FRESH_MS = 5_000;

const oldest = gauge('tempera_outbox_oldest_seconds', 'Age of the oldest promised work that waits.', ['kind']);
const waiting = gauge('tempera_outbox_waiting', 'Pieces of promised work that wait.', ['kind']);
const stuck = gauge('tempera_outbox_stuck', 'Pieces of promised work that were tried ten times and more.', ['kind']);
const wanted = gauge('tempera_nights_wanted', 'Tenants that a night is wanted for.');
const missed = gauge('tempera_nights_missed', 'Tenants without a completed night for a day and a half.');
const failed = gauge('tempera_nights_failed', 'Tenants whose last night failed.');
const memories = gauge('tempera_tenant_memories', 'Memories of the largest tenants, by their opaque ids.', ['tenant']);
const bytes = gauge('tempera_tenant_bytes', 'Bytes of memories of the largest tenants, by their opaque ids.', [
  'tenant',
]);

/** Reads what lies in the database, for a look at the metrics. What cannot be read stays as it was. */
export const instanceWatch = ({ asSystem }: Pick<Doors, 'asSystem'>, elapsedMs: () => number): Refresh => {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const gauges = await asSystem.instanceGauges();
    const largest = await asSystem.largestTenants(TENANTS);
    for (const made of [oldest, waiting, stuck, memories, bytes]) made.reset();
    for (const { kind, oldestSeconds, waiting: count, stuck: tried } of gauges.outbox) {
      oldest.set({ kind }, oldestSeconds);
      waiting.set({ kind }, count);
      stuck.set({ kind }, tried);
    }
    wanted.set(gauges.nightsWanted);
    missed.set(gauges.nightsMissed);
    failed.set(gauges.nightsFailed);
    for (const { tenantId: tenant, ...size } of largest) {
      memories.set({ tenant }, size.memories);
      bytes.set({ tenant }, size.bytes);
    }
    readAt = elapsedMs();
  };
  return async () => {
    if (elapsedMs() - readAt < FRESH_MS) return;
    reading ??= read().finally(() => (reading = undefined));
    await reading;
  };
};
