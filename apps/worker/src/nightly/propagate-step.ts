import { lent, type Settings } from '@tempera/core';
import {
  type Lending,
  lendingSettings,
  type LoanRow,
  pageOfNodes,
  workOutLending,
  writeLoans,
} from '@tempera/platform';
import type { RunRef } from '@tempera/platform/temporal/contract';
import { snapshotReader } from './snapshot-reader.js';
import { lastOf, memoriesOf, unprepared, type NightlyTools, type PageWork, type StepWork } from './page.js';

/**
 * Works out the night's lending, then hands out pages of it. It reads the snapshot and the links alone, so an attempt
 * that starts anew works out the same.
 */
export const propagateStep = async (
  tools: Pick<NightlyTools, 'doors'>,
  run: RunRef,
  settings: Settings,
  beat: () => void,
): Promise<StepWork> => {
  const lending = lendingSettings(settings);
  return {
    memories: async (tx, _run, span) => memoriesOf(await pageOfNodes(tx, run, span), span),
    prepare: unprepared(
      lendPage(await workOutLending(snapshotReader(tools, run, lending.sourceThreshold, beat), lending)),
    ),
  };
};

const lendPage =
  (lending: Lending): PageWork =>
  async (tx, run, span) => {
    const rows = await pageOfNodes(tx, run, span);
    const changes: number[] = [];
    const loans = rows.map((row): LoanRow => {
      const loan = lending.to(row);
      changes.push(lending.changeOf(row, loan));
      const { propagated, reached, from } = loan;
      const amount = lent(propagated, reached);
      return {
        id: row.id,
        before: row.propagated,
        propagated,
        reached,
        lent: amount,
        lentFrom: amount > 0 ? from : null,
      };
    });
    if (loans.length > 0) await writeLoans(tx, run, loans);
    const touched = changes.filter((change) => change > 0).length;
    const report = {
      ...{ looked: rows.length, changed: touched },
      sources: rows.filter((row) => lending.isSource(row)).length,
      hops: lending.hops,
      touched,
      residual: Math.max(0, ...changes),
    };
    return { report, after: lastOf(rows, span) };
  };
