/*
 * Totals, and how they came about.
 */

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
