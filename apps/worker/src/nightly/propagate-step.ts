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
import { lastOf, type NightlyTools, type PageWork } from './run-page.js';

/**
 * Works out the night's lending, then hands out pages of it. It reads the snapshot and the links alone, so an attempt
 * that starts anew works out the same.
 */
export const propagatePages = async (
  tools: NightlyTools,
  run: RunRef,
  settings: Settings,
  beat: () => void,
): Promise<PageWork> => {
  const lending = lendingSettings(settings);
  return lendPage(await workOutLending(snapshotReader(tools, run, lending.sourceThreshold, beat), lending));
};

const lendPage =
  (lending: Lending): PageWork =>
  async (tx, run, span) => {
    const rows = await pageOfNodes(tx, run, span.after, span.limit);
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
    const report = {
      sources: rows.filter((row) => lending.isSource(row)).length,
      hops: lending.hops,
      touched: changes.filter((change) => change > 0).length,
      residual: Math.max(0, ...changes),
    };
    return { report, after: lastOf(rows, span) };
  };
