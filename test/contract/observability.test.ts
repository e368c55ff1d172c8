import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { metrics, serveMetrics } from '@tempera/platform';
import { projectRoot } from '../support/programs.js';
import '../../apps/api/src/telemetry/request-metrics.js';
import '../../apps/api/src/telemetry/stage.js';
import '../../apps/worker/src/telemetry/activity-watch.js';
import '../../apps/worker/src/telemetry/instance-watch.js';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Not ours: the collector's own, one of the Temporal server, and those of kube-state-metrics. */
const FOREIGN = new Set([
  'up',
  'schedule_missed_catchup_window',
  'kube_cronjob_status_last_successful_time',
  'kube_cronjob_created',
]);
/** What PromQL itself says. */
const WORDS = new Set(
  'sum rate time by le absent histogram_quantile increase max min deriv topk and or on for operation outcome kind reason door encoder urgency work stage activity step tenant job instance e'.split(
    ' ',
  ),
);

/** Names of metrics in an expression, without what the collector appends to those of histograms. */
const namesIn = (expression: string): string[] => {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b\d[\d.e]*/g, ' ');
  const words = bare.match(/[a-zA-Z_][a-zA-Z0-9_]*/g) ?? [];
  return words
    .filter((word) => !WORDS.has(word))
    .map((word) => word.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds'));
};

const ruleShape = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleShape) })) })
  .parse(parse(read('deploy/observability/alerts.yml')))
  .groups.flatMap((group) => group.rules);
const panelShape = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) });
const { panels } = z
  .object({ panels: z.array(panelShape) })
  .parse(JSON.parse(read('deploy/observability/dashboard.json')));

let exported: ReadonlySet<string>;
beforeAll(async () => {
  // As the programs serve them: with those of the process itself.
  await (await serveMetrics({ host: '127.0.0.1', port: 0 })).close();
  const all = await metrics.getMetricsAsJSON();
  exported = new Set(all.map(({ name }) => name));
});

const unknownIn = (expressions: readonly string[]): string[] =>
  expressions.flatMap(namesIn).filter((name) => !exported.has(name) && !FOREIGN.has(name));

describe('deploy/observability', () => {
  it('asks in every alert and panel for metrics that the programs export', () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(panels.length).toBeGreaterThan(20);
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
    expect(unknownIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))).toEqual([]);
  });

  it('shows every metric of ours in the dashboard or an alert', () => {
    const used = new Set([...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => namesIn(expr)));
    expect([...exported].filter((name) => name.startsWith('tempera_') && !used.has(name))).toEqual([]);
  });

  it('has for each alert what to do, and for nothing else', () => {
    const page = read('docs/observability.md');
    const headings = [...page.matchAll(/^### (Tempera\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/observability.md#${alert.toLowerCase()}`);
  });

  it('lets no label but those of our own words', async () => {
    const text = await metrics.metrics();
    const labels = new Set(
      [...text.matchAll(/^tempera_\w+\{([^}]*)\}/gm)].flatMap(([, list]) => list?.match(/\w+(?==)/g) ?? []),
    );
    for (const label of labels) expect(WORDS, label).toContain(label);
  });
});
