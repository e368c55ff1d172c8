/*
 * What the tools ask of upkeep, runs and totals.
 */

const LOOKED = 'analysed total complete nextAfter';
const JUDGED = '{ memory { id title } utility daysUnused reasons }';
const CLUSTER = '{ survivor { id title } merged { id title } similarity acrossAuthors }';

/** What could be merged, pruned or looked at. */
export const REVIEW = `
  query Review($project: String) {
    review(project: $project) {
      ${LOOKED} mayExecute staleCount prunableCount clusterCount proposalCount guarded conflicts
      stale ${JUDGED} prunable ${JUDGED} clusters ${CLUSTER} proposals ${CLUSTER}
    }
  }`;

/** Merges what says the same, or says what would be merged. */
export const CONSOLIDATE = `
  mutation Consolidate($input: ConsolidateInput!) {
    consolidate(input: $input) { ${LOOKED} runId remaining clusters ${CLUSTER} }
  }`;

/** Archives what nobody needs, or says what that would be. */
export const CLEANUP = `
  mutation Cleanup($input: CleanupInput!) {
    cleanup(input: $input) { ${LOOKED} runId remaining memories ${JUDGED} }
  }`;

const LEARNING = 'asked injected answered answerRate helpful unhelpful helpfulShare meanPlace';

/** Totals of a project, or of everything the caller sees. */
export const STATS = `
  query Stats($project: String) {
    stats(project: $project) {
      project memories kinds { kind count } scopes { scope count } states { state count }
      domains { kind name memories } ${LEARNING}
    }
  }`;

/** The same over time. */
export const TRENDS = `
  query Trends($project: String, $bucket: TrendBucketSize!, $from: DateTime, $to: DateTime) {
    trends(project: $project, bucket: $bucket, from: $from, to: $to) {
      project bucket
      points {
        bucket from captured againstAll health { memories highValue stale neverRetrieved meanUtility } ${LEARNING}
      }
      all { captured ${LEARNING} }
      domains { kind name memories }
    }
  }`;

const RUN = `
  id runDate status requestedAt finishedAt failure
  report { credited sources hops touched residual converged }`;

/** Asks for a run of the tenant. */
export const PROPAGATE = `
  mutation Propagate($kind: RunKind!) { runMaintenance(input: { kind: $kind }) { ${RUN} } }`;

/** A run, with its report once it is over. */
export const RUN_REPORT = `query RunReport($id: ID!) { maintenanceRun(id: $id) { ${RUN} } }`;

/** What lending would do. */
export const PREVIEW_PROPAGATION = `
  query PreviewPropagation($project: String) {
    propagationPreview(project: $project) { sources hops touched residual converged }
  }`;
