export { archiveMerged, type MergeState, type MergeStep, readSurvivors, type SurvivorState } from './upkeep-merge.js';
export { type ListedUpkeepRun, listUpkeepRuns, type UpkeepPosition } from './upkeep-list.js';
export { countUpkeep, pageOfUpkeep, type UpkeepRow, type UpkeepScope } from './upkeep-page.js';
export {
  findLinkedPairs,
  type LinkedPair,
  measurePairs,
  type MergeableMemory,
  type PairNearness,
  readMergeable,
} from './upkeep-pairs.js';
export {
  findMergeRun,
  findUpkeepRun,
  insertUpkeepRun,
  lockMemories,
  type NewUpkeepRun,
  pruneMemories,
  type PrunedMemory,
  readUpkeepEffects,
  UPKEEP_KINDS,
  type UpkeepEffect,
  type UpkeepKind,
  type UpkeepRun,
  undoUpkeepRun,
} from './upkeep-run.js';
