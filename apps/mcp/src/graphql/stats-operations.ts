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
      points { bucket from captured againstAll ${LEARNING} }
      all { captured ${LEARNING} }
      domains { kind name memories }
    }
  }`;
