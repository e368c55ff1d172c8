export {
  type ClusterMember,
  findClusters,
  type FoundClusters,
  isAcrossAuthors,
  leastThresholdOf,
  sumOf,
  toMember,
} from './find-clusters.js';
export { joinContent, type Joining, ownState } from './join-memories.js';
export { keywordsOf } from './keywords-of.js';
export {
  MAX_NOTES_BYTES,
  MAX_TAGS,
  MAX_TAGS_BYTES,
  MAX_TEXT_BYTES,
  type MemoryNotes,
  notesBytes,
} from './memory-size.js';
export { fullTextOf, titleOf } from './memory-title.js';
export { addsTo, mergeContent, saysTheSame } from './merge-content.js';
