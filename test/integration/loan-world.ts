import { randomUUID } from 'node:crypto';
import { type MemoryId, resolveSettings } from '@tempera/core';
import { holdLending, type Identity, lendAtOnce } from '@tempera/platform';
import type { StepWork } from '../../apps/worker/src/nightly/page.js';
import { propagateStep } from '../../apps/worker/src/nightly/propagate-step.js';
import { snapshotStep } from '../../apps/worker/src/nightly/snapshot-step.js';
import { asSuperuser } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';
import { makeMemory, makeRetrieval } from '../support/memories.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

/** A project with an author and two people who vote. */
export interface LoanTeam {
  readonly tenantId: string;
  readonly projectId: string;
  readonly author: Person;
  readonly bo: Person;
  readonly cy: Person;
}

export const makeLoanTeam = async (database: TestDatabase): Promise<LoanTeam> => {
  const { doors } = database;
  const { owner, tenantId } = await makeTenant(doors, await makeOperator(database));
  const projectId = await makeProject(doors, owner, 'rocket');
  const [bo, cy] = [
    await makePerson(doors, owner, 'Bo', { projectId }),
    await makePerson(doors, owner, 'Cy', { projectId }),
  ];
  return { tenantId, projectId, author: owner, bo, cy };
};

/** The learned side of a memory that loans are about. */
export interface LoanView {
  readonly evidence: number;
  readonly propagated: number;
  readonly reached: number;
  readonly lent: number;
  readonly lentFrom: string | null;
}

export const loansOf = (database: TestDatabase, ids: readonly string[]): Promise<LoanView[]> =>
  asSuperuser(database.adminUrl, async (client) => {
    const { rows } = await client.query<LoanView & { id: string }>(
      `select memory_id as id, evidence, propagated, reached, lent, lent_from as "lentFrom" from memory_stat
       where memory_id = any ($1)`,
      [ids],
    );
    const byId = new Map(rows.map(({ id, ...loan }) => [id, loan]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  });

export const shared = (database: TestDatabase, { author, projectId }: LoanTeam, more = {}): Promise<string> =>
  makeMemory(database.doors, author, { scope: 'project', projectId, ...more });

/** Joins memories as neighbours, by their author. */
export const join = (
  database: TestDatabase,
  { author, tenantId }: LoanTeam,
  links: readonly (readonly [from: string, to: string, weight: number])[],
): Promise<unknown> =>
  database.doors.asTenant(author, (tx) =>
    tx.link.createMany({
      data: links.map(([fromId, toId, weight]) => ({ tenantId, fromId, toId, weight, kind: 'neighbour' })),
      skipDuplicates: true,
    }),
  );

/** Votes as the service does: the scores are held first, and what is proved lends at the end. */
export const ballot = async (
  database: TestDatabase,
  voter: Identity,
  memoryIds: readonly string[],
  { at = new Date(), isLending = true }: { readonly at?: Date; readonly isLending?: boolean } = {},
): Promise<void> => {
  const ids = [...memoryIds].sort() as MemoryId[];
  await database.doors.asTenant(voter, async (tx) => {
    if (isLending) await holdLending(tx, ids);
    for (const id of ids) await tx.$queryRaw`select record_vote(${id}::uuid, true, null, null, ${at}) as vote`;
    if (isLending) await lendAtOnce(tx, ids, at);
  });
};

/** Shown to two people on a day, so that a vote makes it a source. */
export const show = async (
  database: TestDatabase,
  people: readonly Identity[],
  ids: readonly string[],
  at?: Date,
): Promise<void> => {
  for (const person of people) await makeRetrieval(database.doors, person, ids, at === undefined ? {} : { at });
};

/** One night's snapshot and propagation, without the engine. */
export const nightOf = async (database: TestDatabase, tenantId: string, runDate: string): Promise<void> => {
  const run = { tenantId, runId: randomUUID(), runDate };
  await asSuperuser(database.adminUrl, (client) =>
    client.query(
      `insert into maintenance_run (tenant_id, id, kind, run_date, status, finished_at)
       values ($1, $2, 'nightly', $3, 'completed', now())`,
      [tenantId, run.runId, runDate],
    ),
  );
  const settings = resolveSettings();
  const span = { after: null, limit: 500, without: [] };
  const page = async (step: StepWork): Promise<unknown> => {
    const work = await step.prepare(span);
    return database.doors.asWorker(tenantId, (tx) => work(tx, run, span));
  };
  await page(snapshotStep(settings));
  await page(await propagateStep(database, run, settings, () => undefined));
};
