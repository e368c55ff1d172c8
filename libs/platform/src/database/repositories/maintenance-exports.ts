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
  type ContentOfRevision,
  leastClusterThreshold,
  mergeByNight,
  type NightlyMerge,
  pageOfActive,
  readContents,
} from './consolidate.repository.js';
export { archiveExpired, pageOfExpired } from './expire.repository.js';
export {
  CHANGE_ACTIONS,
  type ChangeAction,
  type ChangePosition,
  listChanges,
  listProgress,
  type MaintenanceChange,
  recordChanges,
  type StepChange,
  type StepProgress,
} from './maintenance-change.repository.js';
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
export { type StepWish, stepWishes } from './maintenance-plan.js';
export { addReports, type PageReport } from './maintenance-report.js';
export {
  cancelRun,
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
export type { PageOfMemories } from './page-of-memories.js';
export { pageOfPrunable, placeOf, type PrunableOnDate, type UndoPlace, undoRunOf } from './prune.repository.js';
export {
  type ErasableMemory,
  eraseMemories,
  pageOfErasable,
  PURGED_KINDS,
  type PurgedKind,
  purgeRows,
} from './purge.repository.js';
export { pageOfStandings, type SnapshotRow, type StandingOnDate, writeSnapshot } from './snapshot.repository.js';
export { loanHolders, matesSeen, nodesSeen, type SeenIn, type SeenNode, sourcesSeen } from './propagation-seen.js';
