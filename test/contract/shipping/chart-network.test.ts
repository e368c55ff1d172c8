import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../support/shipping/chart.js';
import { ALWAYS, useChart, valuesOf } from '../../support/shipping/rendering.js';

const { render, refusal } = useChart();

describe('the network of the chart', () => {
  /** What may be reached from a component, by the rules that select it: `peers:ports`. */
  const rulesFor = (manifests: readonly Manifest[], component: string, direction: 'ingress' | 'egress'): string[] =>
    manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map((policy) => Reflect.get(policy, 'spec') as Record<string, unknown>)
      .filter((spec) => {
        const labels = (spec['podSelector'] as { matchLabels: Record<string, string> }).matchLabels;
        return (labels['app.kubernetes.io/component'] ?? component) === component;
      })
      .flatMap((spec) => (spec[direction] ?? []) as Record<string, unknown>[])
      .map((rule) => {
        const ports = (rule['ports'] as { port: number | string }[]).map(({ port }) => port).join(',');
        return `${JSON.stringify(rule[direction === 'ingress' ? 'from' : 'to'])}:${ports}`;
      })
      .sort();
  const DNS =
    '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"}},"podSelector":{"matchLabels":{"k8s-app":"kube-dns"}}}]:53,53';
  const POSTGRES = '[{"ipBlock":{"cidr":"10.20.0.0/16"}}]:5432';
  const TEMPORAL = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"temporal"}}}]:7233';
  const INGRESS = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"ingress-nginx"}}}]:http';

  it('leads the API to Postgres, the worker to Postgres and Temporal, the jobs to Postgres, and nowhere else', async ({
    skip,
  }) => {
    const manifests = await render(skip, valuesOf('own-temporal'));
    const reached = ALWAYS.map((component) => rulesFor(manifests, component, 'egress'));
    expect(reached).toEqual([
      [POSTGRES, DNS].sort(),
      [POSTGRES, DNS, TEMPORAL].sort(),
      ...[[POSTGRES, DNS].sort(), [POSTGRES, DNS].sort()],
    ]);
    const reaching = ALWAYS.map((component) => rulesFor(manifests, component, 'ingress'));
    expect(reaching).toEqual([[INGRESS], [], [], []]);
    const deny = manifests.find(({ metadata }) => metadata.name === 'town-default-deny');
    expect(deny).toMatchObject({ spec: { policyTypes: ['Ingress', 'Egress'] } });
    expect(JSON.stringify(deny)).not.toMatch(/component|"(?:ingress|egress)"/);
    const withProvider = await render(skip, valuesOf('temporal-cloud'));
    expect(rulesFor(withProvider, 'api', 'egress').join()).toContain('192.0.2.0/24"}}]:443');
    const ELSEWHERE = '[{"ipBlock":{"cidr":"10.20.64.0/18"}}]:5432';
    expect(rulesFor(withProvider, 'backup', 'egress')).toEqual([ELSEWHERE, DNS].sort());
    const WATCH = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"watch"}}}]';
    for (const component of ['api', 'worker']) {
      expect(rulesFor(withProvider, component, 'egress')).toContain(`${WATCH}:4318`);
      expect(rulesFor(withProvider, component, 'ingress')).toContain(`${WATCH}:metrics`);
    }
  });

  it('is refused where saying nothing would mean anywhere', async ({ skip }) => {
    const open = (what: string): Promise<string> => refusal(skip, valuesOf('temporal-cloud'), what);
    for (const name of ['postgres', 'temporal', 'oidc', 'traces']) {
      expect(await open(`networkPolicy.${name}.to=[]`)).toContain(`networkPolicy.${name}.to`);
    }
    expect(await open('networkPolicy.ingressFrom=[]')).toContain('networkPolicy.ingressFrom');
  });
});
