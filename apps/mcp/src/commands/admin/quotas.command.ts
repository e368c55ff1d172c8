import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { TENANTS } from '../known-id.js';
import { QUOTA, SET_DEFAULT_QUOTA, SET_QUOTA } from '../../graphql/operator-operations.js';
import { given, wholeOption } from '../command.js';
import { factLines } from '../lists.js';
import { quotaFacts, quotaShape, tenantUsageShape } from '../quota.js';
import type { Call, Verbs } from '../verb.js';

const answerShape = z.object({
  tenantId: z.string().nullable(),
  quota: quotaShape,
  usage: tenantUsageShape.nullable(),
});
type TenantQuota = z.output<typeof answerShape>;

const tell = ({ terminal }: Call, { tenantId, quota, usage }: TenantQuota): void => {
  const whose = tenantId === null ? 'what holds where a tenant has nothing of its own' : tenantId;
  terminal.result(factLines([['tenant', whose], ...quotaFacts(quota, usage)]), { tenantId, quota, usage });
};

const QUOTA_OPTIONS = [
  ['--memories <n>', 'active memories'],
  ['--bytes <n>', 'bytes of memories in any state, with their former texts'],
  ['--embeddings-per-day <n>', 'vectors stored in a day (UTC)'],
  ['--user-points <n>', 'points that one person may spend in a minute, from 5000'],
  ['--tenant-points <n>', 'points that all may spend together in a minute, from 5000'],
] as const;

const readQuota = ({ options }: Call): Record<string, unknown> => {
  const input = given({
    memories: wholeOption('memories', options['memories']),
    bytes: wholeOption('bytes', options['bytes']),
    embeddingsPerDay: wholeOption('embeddings-per-day', options['embeddingsPerDay']),
    userPointsPerMinute: wholeOption('user-points', options['userPoints']),
    tenantPointsPerMinute: wholeOption('tenant-points', options['tenantPoints']),
  });
  if (Object.keys(input).length > 0) return input;
  throw new AppError(
    'invalid-input',
    'no-change',
    'Nothing to change: say what the quota is, such as --memories 10000.',
  );
};

/** `tempera admin quotas` */
export const QUOTA_VERBS: Verbs = {
  show: {
    args: '[tenant]',
    ids: { 0: TENANTS },
    summary: 'show the quota of a tenant beside its usage, or the defaults',
    examples: ['quotas show', 'quotas show 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const variables = given({ tenantId: call.args[0] });
      tell(call, await call.asker.ask(QUOTA, variables, 'quota', answerShape, true));
    },
  },
  set: {
    args: '<tenant>',
    ids: { 0: TENANTS },
    summary: 'change what a tenant may keep and do; what is left out stays',
    options: QUOTA_OPTIONS,
    examples: ['quotas set 0192f0c4-0000-4000-8000-000000000001 --memories 50000 --bytes 1073741824'],
    run: async (call) => {
      const variables = { tenantId: call.args[0], input: readQuota(call) };
      tell(call, await call.asker.ask(SET_QUOTA, variables, 'setQuota', answerShape, true));
    },
  },
  defaults: {
    summary: 'change what holds for tenants whose quota says nothing else',
    options: QUOTA_OPTIONS,
    question: () => 'Change the quota of every tenant that has none of its own?',
    examples: ['quotas defaults --memories 20000'],
    run: async (call) => {
      const variables = { input: readQuota(call) };
      tell(call, await call.asker.ask(SET_DEFAULT_QUOTA, variables, 'setDefaultQuota', answerShape, true));
    },
  },
};
