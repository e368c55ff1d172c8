import { z } from 'zod';

/** What a tenant may keep and do. */
export const quotaShape = z.object({
  memories: z.number(),
  bytes: z.number(),
  embeddingsPerDay: z.number(),
  userPointsPerMinute: z.number(),
  tenantPointsPerMinute: z.number(),
});
export const tenantUsageShape = z.object({ memories: z.number(), bytes: z.number(), embeddingsToday: z.number() });

type Quota = z.output<typeof quotaShape>;
type TenantUsage = z.output<typeof tenantUsageShape>;

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A count of bytes in the largest unit that leaves at least one. */
export const bytesText = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${power === 0 || Number.isInteger(value) ? value : value.toFixed(1)} ${UNITS[power] ?? 'B'}`;
};

/** A quota as facts, beside what of it is used. */
export const quotaFacts = (quota: Quota, usage: TenantUsage | null): (readonly [string, string])[] => {
  const used = (amount: string | undefined, limit: string): string =>
    amount === undefined ? limit : `${amount} of ${limit}`;
  return [
    ['memories', used(usage?.memories.toString(), String(quota.memories))],
    ['bytes', used(usage === null ? undefined : bytesText(usage.bytes), bytesText(quota.bytes))],
    ['vectors a day', used(usage?.embeddingsToday.toString(), String(quota.embeddingsPerDay))],
    ['points a minute', `${quota.userPointsPerMinute} a person, ${quota.tenantPointsPerMinute} together`],
  ];
};
