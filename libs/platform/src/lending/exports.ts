export { type GraphReader, type Lending, workOutLending } from './lending.js';
export { type LendingSettings, lendingSettings } from './lending-graph.js';
