import type { GraphQLClient } from '../../support/graphql-client.js';

/** What a maintenance run said of itself. */
export interface Night {
  readonly sources: number;
  readonly hops: number;
  readonly touched: number;
  readonly credited: number;
}

const DAY_MS = 86_400_000;
const REQUEST = 'mutation ($runDate: Date) { runMaintenance(input: { runDate: $runDate }) { id } }';
const LOOK = `query ($id: ID!) { maintenanceRun(id: $id) { status failure report { sources hops touched credited } } }`;

interface Run {
  status: string;
  failure: string | null;
  report: Night | null;
}

/** Has the night of some days ago run, and waits for its end: each round has a date of its own, the last one today. */
export const spendNight = async (owner: GraphQLClient, daysAgo: number): Promise<Night> => {
  const runDate = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const { runMaintenance } = await owner.send<{ runMaintenance: { id: string } }>(REQUEST, { runDate });
  const deadline = Date.now() + 300_000;
  for (;;) {
    const { maintenanceRun: run } = await owner.send<{ maintenanceRun: Run }>(LOOK, { id: runMaintenance.id });
    if (run.status === 'COMPLETED' && run.report !== null) return run.report;
    if (run.status === 'FAILED') throw new Error(`The night of ${runDate} failed: ${run.failure}`);
    if (Date.now() > deadline) throw new Error(`The night of ${runDate} did not end.`);
    await new Promise((resume) => setTimeout(resume, 200));
  }
};
