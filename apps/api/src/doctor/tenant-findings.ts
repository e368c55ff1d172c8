import type { TenantCondition } from '@tempera/platform';
import type { DoctorFinding } from './doctor.types.js';
import { failure, fine, lookAtEngine, lookAtOutbox, lookAtWorker, warning } from './finding.js';

const NEARLY_FULL = 0.9;

const lookAtNight = ({
  paused,
  nightMissed,
  nightFailed,
  nightCompletedAt,
  failedRun,
}: TenantCondition): DoctorFinding => {
  const last = nightCompletedAt === null ? 'none completed yet' : `last completed ${nightCompletedAt.toISOString()}`;
  if (paused)
    return warning(
      'nights',
      `paused; ${last}`,
      'Resume them by `tempera admin schedule set --resume` once there is no reason.',
    );
  if (nightFailed)
    return failure(
      'nights',
      `the last one failed (run ${failedRun ?? 'unknown'}); ${last}`,
      'See why by `tempera admin runs list`; make up for it by `tempera admin runs start`.',
    );
  if (nightMissed)
    return failure(
      'nights',
      `missed; ${last}`,
      'Ask an operator about the worker; make up for it by `tempera admin runs start`.',
    );
  return fine('nights', last);
};

const lookAtQuota = (name: string, used: number, quota: number): DoctorFinding => {
  const detail = `${used} of ${quota}`;
  if (used < NEARLY_FULL * quota) return fine(name, detail);
  const advice = 'Tidy up by `tempera cleanup` and `tempera consolidate`, or ask an operator for more.';
  return (used >= quota ? failure : warning)(name, detail, advice);
};

/** What is wrong with a tenant, for its admins. */
export const lookAtTenant = (condition: TenantCondition): DoctorFinding[] => [
  lookAtWorker(condition.workerSeconds),
  lookAtEngine(condition.workerSeconds, condition.engineSeconds),
  lookAtOutbox('promised work', condition),
  lookAtNight(condition),
  condition.unread === 0
    ? fine('vectors', 'every memory that was due has its vectors')
    : warning(
        'vectors',
        `${condition.unread} memories could not be read by an encoder`,
        'They are found by words alone; editing one has it read anew.',
      ),
  lookAtQuota('quota of memories', condition.memories, condition.memoriesQuota),
  lookAtQuota('quota of bytes', condition.bytes, condition.bytesQuota),
  condition.needsPartition
    ? warning(
        'size',
        `${condition.memories} memories`,
        'Ask an operator for a partition of your own: `npm run tenant:partition`.',
      )
    : fine('size', `${condition.memories} memories`),
];
