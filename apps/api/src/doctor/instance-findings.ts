import { isAppError } from '@tempera/client-kit';
import type { Beat, ServerFacts, TenantProblem, TroubledTenant, WaitingWork } from '@tempera/platform';
import type { DoctorFinding } from './doctor.types.js';
import { ALIVE_SECONDS, failure, fine, lookAtEngine, lookAtOutbox, lookAtWorker, warning } from './finding.js';

/** Beyond this, tokens and ages are told differently by two machines. */
const SKEW_MS = 2_000;
const TENANTS_NAMED = 10;

export const lookAtServer = (
  { postgres, pgvector, belowFloor, isDurable }: ServerFacts,
  isProduction: boolean,
): DoctorFinding[] => {
  const detail = `Postgres ${postgres}, pgvector ${pgvector}`;
  const version =
    belowFloor === null
      ? fine('database', detail)
      : warning('database', `${detail}: ${belowFloor}`, 'Upgrade it: older ones have faults that many tenants meet.');
  if (isDurable) return [version, fine('durability', 'fsync is on')];
  const advice = 'Set fsync on: an acknowledged memory could be lost with the power.';
  return [version, (isProduction ? failure : warning)('durability', 'fsync is off', advice)];
};

export const lookAtClock = (databaseNow: Date, now: Date): DoctorFinding => {
  const offMs = now.getTime() - databaseNow.getTime();
  const detail = `the API is ${Math.abs(offMs)} ms ${offMs < 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(offMs) <= SKEW_MS) return fine('clocks', detail);
  return warning('clocks', detail, 'Set the clocks of both machines by one source.');
};

/** Of the self-check: the code says which part; its words may name tables, and stay in the log. */
export const lookAtSelfCheck = (error: unknown, latest: string | null): DoctorFinding[] => {
  const isolated = fine('isolation', 'roles are bound, row-level security is forced on every table');
  const migrated = fine('migrations', `at head, ${latest ?? 'none'}`);
  if (error === null) return [migrated, isolated];
  const code = isAppError(error) ? error.code : 'unexpected';
  if (code === 'migrations-behind')
    return [
      failure('migrations', 'the database is behind this program', 'Run the migrate job of this release.'),
      isolated,
    ];
  if (code === 'migrations-ahead')
    return [
      warning('migrations', 'the database is ahead of this program', 'Roll this release out to every process.'),
      isolated,
    ];
  const advice = `The self-check says ${code}: read the log of a process that starts, and give each door its own role.`;
  return [migrated, failure('isolation', code, advice)];
};

export const lookAtWorkers = (beats: readonly Beat[], version: string): DoctorFinding[] => {
  const workers = beats.filter(({ program }) => program === 'worker');
  const ages = workers.map(({ ageSeconds }) => ageSeconds);
  const engine = workers.flatMap(({ engineAgeSeconds }) => engineAgeSeconds ?? []);
  const youngest = ages.length === 0 ? null : Math.min(...ages);
  const others = new Set(
    workers
      .filter(({ ageSeconds, version: of }) => ageSeconds <= ALIVE_SECONDS && of !== version)
      .map((beat) => beat.version),
  );
  const mixed =
    others.size === 0
      ? []
      : [
          warning(
            'versions',
            `API ${version}, worker ${[...others].join(', ')}`,
            'Roll one release out to every process.',
          ),
        ];
  return [lookAtWorker(youngest), lookAtEngine(youngest, engine.length === 0 ? null : Math.min(...engine)), ...mixed];
};

export const lookAtWork = (outbox: readonly WaitingWork[]): DoctorFinding[] =>
  outbox.length === 0
    ? [fine('promised work', 'none waits')]
    : outbox.map((work) => lookAtOutbox(`promised work ${work.kind}`, work));

/** Of each problem of tenants: its name, what it means, what to do, and whether anything fails by it. */
const PROBLEMS: Readonly<
  Record<TenantProblem, { name: string; none: string; say: (amount: number) => string; advice: string; fails: boolean }>
> = {
  'night-missed': {
    name: 'nights missed',
    none: 'every tenant had its night',
    say: (hours) => `${Math.round(hours)} h`,
    advice: 'Look at the worker and the workflow engine; an admin makes up for a night by `tempera admin runs start`.',
    fails: true,
  },
  'night-failed': {
    name: 'nights failed',
    none: "no tenant's last night failed",
    say: (hours) => `${Math.round(hours)} h`,
    advice: "Read the worker's log for these tenants; an admin sees the failure by `tempera admin runs list`.",
    fails: true,
  },
  quota: {
    name: 'quotas',
    none: 'every tenant has room',
    say: (share) => `${Math.floor(share * 100)} %`,
    advice: 'Raise the quota by `tempera admin quotas set`, or have them tidy up.',
    fails: false,
  },
  partition: {
    name: 'large tenants',
    none: 'each has a partition of its own',
    say: (memories) => `${memories} memories`,
    advice: 'The daily `npm run tenant:partition -- --due` gives each its own; look whether it runs and what it says.',
    fails: false,
  },
};

export const lookAtTenants = (troubled: readonly TroubledTenant[]): DoctorFinding[] =>
  Object.entries(PROBLEMS).map(([problem, { name, none, say, advice, fails }]) => {
    const these = troubled.filter((tenant) => tenant.problem === problem);
    if (these.length === 0) return fine(name, none);
    const named = these.slice(0, TENANTS_NAMED).map(({ tenantId, amount }) => `${tenantId} (${say(amount)})`);
    const more = these.length > named.length ? `, and ${these.length - named.length} more` : '';
    return (fails ? failure : warning)(name, `${these.length}: ${named.join(', ')}${more}`, advice);
  });
