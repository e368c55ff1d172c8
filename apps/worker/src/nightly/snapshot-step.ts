import { assess, type Settings } from '@tempera/core';
import { pageOfStandings, type SnapshotRow, type StandingOnDate, writeSnapshot } from '@tempera/platform';
import { lastOf, memoriesOf, unprepared, type PageWork, type StepWork } from './page.js';

/** What each memory has earned by the run's date, faded by the days it was of no use: the night's fixed picture. */
export const snapshotStep = (settings: Settings): StepWork => ({
  memories: async (tx, run, span) => memoriesOf(await pageOfStandings(tx, run, span), span),
  prepare: unprepared(snapshotPage(settings)),
});

const snapshotPage =
  ({ bellman }: Settings): PageWork =>
  async (tx, run, span) => {
    const standings = await pageOfStandings(tx, run, span);
    if (standings.length > 0) {
      await writeSnapshot(
        tx,
        run,
        standings.map((standing) => toSnapshot(standing, bellman.decayRate)),
      );
    }
    const count = standings.length;
    return { report: { snapshots: count, looked: count }, after: lastOf(standings, span) };
  };

const toSnapshot = (standing: StandingOnDate, decayRate: number): SnapshotRow => {
  const { evidence, base, earned } = assess({
    ...standing,
    votes: { helpful: standing.helpful, unhelpful: standing.unhelpful },
    noneRate: decayRate,
  });
  return {
    id: standing.id,
    evidence,
    base,
    earned,
    propagatedBefore: standing.propagated,
    propagatedOnBefore: standing.propagatedOn,
    helpfulOthers: standing.helpfulVotes,
    askedRetrievals: standing.askedRetrievals,
  };
};
