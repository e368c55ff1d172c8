export {
  changeLedger,
  type CreditCandidate,
  creditCandidates,
  type CreditEpisode,
  type CreditGiver,
  type LedgerChange,
  type LedgerEntry,
  ledgerOf,
  pageOfGivers,
} from './credit.repository.js';
export {
  beginRun,
  completeRun,
  type DonePage,
  failRun,
  findLastStep,
  findStep,
  holdRun,
  recordStep,
  type RunBeginning,
  type StepRecord,
} from './maintenance-progress.repository.js';
export { addReports, type PageReport } from './maintenance-report.js';
export {
  findRun,
  listRuns,
  type MaintenanceRun,
  type RequestedRun,
  requestRun,
  type RunPosition,
  type RunRequest,
  type RunStatus,
  tenantDate,
} from './maintenance-run.repository.js';
export { type RunSummary, summariseRun } from './maintenance-summary.js';
export {
  silentRuns,
  type UnfinishedRun,
  wantedSchedule,
  type WantedSchedule,
} from './maintenance-schedule.repository.js';
export {
  linksAt,
  type LoanRow,
  membersOfSessions,
  type NeighbourLink,
  nodesById,
  pageOfNodes,
  possibleSources,
  type SnapshotNode,
  writeLoans,
} from './propagation.repository.js';
export { pageOfStandings, type SnapshotRow, type StandingOnDate, writeSnapshot } from './snapshot.repository.js';
export { loanHolders, matesSeen, nodesSeen, type SeenIn, type SeenNode, sourcesSeen } from './propagation-seen.js';
