import { creditOfRank, type CreditRates, creditReceivers, isSeenByAllOf, type Settings } from '@tempera/core';
import {
  changeLedger,
  creditCandidates,
  type CreditCandidate,
  type CreditGiver,
  type LedgerEntry,
  ledgerOf,
  pageOfGivers,
} from '@tempera/platform';
import { lastOf, memoriesOf, unprepared, type PageWork, type StepWork } from './page.js';

/** Successes whose predecessors are looked up in one statement, which stays far below the statement timeout. */
const LOOK_UP = 100;

/**
 * Credit along time: a page of successes, and of what once was a success. The ledger is brought to what the episodes say
 * today, so that a success counts once however often the step runs, and no longer when it is none.
 */
export const creditStep = (settings: Settings): StepWork => ({
  memories: async (tx, { tenantId }, span) => memoriesOf(await pageOfGivers(tx, tenantId, span), span),
  prepare: unprepared(creditPage(settings)),
});

const creditPage =
  ({ bellman }: Settings): PageWork =>
  async (tx, { tenantId, runId }, span) => {
    const givers = await pageOfGivers(tx, tenantId, span);
    const standing = givers.filter(({ stands }) => stands);
    const candidates: CreditCandidate[] = [];
    for (let at = 0; at < standing.length; at += LOOK_UP) {
      const ids = standing.slice(at, at + LOOK_UP).map(({ id }) => id);
      candidates.push(...(await creditCandidates(tx, tenantId, ids, bellman.temporalCreditWindowHours)));
    }
    const wanted = creditsOf(standing, candidates, bellman.temporalCreditWindowHours, bellman);
    const ids = givers.map(({ id }) => id);
    const { removed, added } = difference(await ledgerOf(tx, tenantId, ids), wanted);
    if (removed.length + added.length > 0) await changeLedger(tx, tenantId, { runId, removed, added });
    const credited = added.length + removed.length;
    return { report: { credited, looked: givers.length, changed: credited }, after: lastOf(givers, span) };
  };

/** The credits that some successes give. */
export const creditsOf = (
  successes: readonly CreditGiver[],
  candidates: readonly CreditCandidate[],
  windowHours: number,
  rates: CreditRates,
): LedgerEntry[] => {
  const before = new Map<string, CreditCandidate[]>(successes.map(({ id }) => [id, []]));
  for (const candidate of candidates) before.get(candidate.successId)?.push(candidate);
  return successes.flatMap((success) => {
    const episodes = before.get(success.id) ?? [];
    const audiences = new Map(episodes.map(({ id, audience }) => [id, audience]));
    return creditReceivers(success, episodes, windowHours)
      .filter(({ id }) => {
        const receiver = audiences.get(id);
        return receiver !== undefined && isSeenByAllOf(success.audience, receiver);
      })
      .map(({ id, rank }) => ({ successId: success.id, receiverId: id, rank, amount: creditOfRank(rank, rates) }));
  });
};

const keyOf = ({ successId, receiverId, rank, amount }: LedgerEntry): string =>
  `${successId} ${receiverId} ${rank} ${amount}`;

const difference = (
  there: readonly LedgerEntry[],
  wanted: readonly LedgerEntry[],
): { readonly removed: LedgerEntry[]; readonly added: LedgerEntry[] } => {
  const [have, want] = [new Set(there.map(keyOf)), new Set(wanted.map(keyOf))];
  return {
    removed: there.filter((entry) => !want.has(keyOf(entry))),
    added: wanted.filter((entry) => !have.has(keyOf(entry))),
  };
};
