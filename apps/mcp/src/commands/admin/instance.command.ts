import { z } from 'zod';
import { INSTANCE_HEALTH } from '../../graphql/operator-operations.js';
import { minuteText } from '../../output/table.js';
import { factLines, named } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const healthShape = z.object({
  version: z.string(),
  problems: z.array(z.string()),
  outboxWaiting: z.number(),
  outboxLagSeconds: z.number(),
  tenants: z.object({ active: z.number(), suspended: z.number(), deleted: z.number() }),
  migrations: z.object({ applied: z.number(), expected: z.number(), latest: z.string().nullable() }),
  encoders: z.array(z.object({ name: z.string(), ready: z.boolean(), detail: z.string() })),
  workers: z.array(z.object({ version: z.string(), alive: z.boolean(), beatAt: z.string(), startedAt: z.string() })),
});
type Health = z.output<typeof healthShape>;

const linesOf = ({ version, tenants, migrations, encoders, workers, ...health }: Health): string[] => [
  ...factLines([
    ['version', version],
    ['tenants', `${tenants.active} active, ${tenants.suspended} suspended, ${tenants.deleted} being erased`],
    ['migrations', `${migrations.applied} of ${migrations.expected}, latest ${migrations.latest ?? 'none'}`],
    ['outbox', `${health.outboxWaiting} waiting, the oldest for ${Math.round(health.outboxLagSeconds)} s`],
    ...encoders.map(
      ({ name, ready, detail }) => ['encoder', `${name} ${ready ? 'ready' : `not ready: ${detail}`}`] as const,
    ),
    ...workers.map(
      ({ version: of, alive, beatAt }) =>
        ['worker', `${of} ${alive ? 'alive' : 'silent'}, last heard of ${minuteText(beatAt) ?? ''}`] as const,
    ),
  ]),
  ...(health.problems.length === 0 ? ['Nothing to look at.'] : health.problems.map((problem) => `- ${named(problem)}`)),
];

const show = async ({ asker, terminal }: Call): Promise<void> => {
  const health = await asker.ask(INSTANCE_HEALTH, {}, 'instanceHealth', healthShape, true);
  terminal.result(linesOf(health), health);
};

/** `tempera admin instance` */
export const INSTANCE_VERBS: Verbs = {
  health: {
    summary: 'how the instance is doing, and what a person should look at',
    examples: ['instance health', 'instance health --json'],
    run: show,
  },
};
