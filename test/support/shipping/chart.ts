import { readdirSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { type Ran, root, runTool } from './tools.js';

/** The chart's folder, from the root of the checkout. */
export const CHART = 'deploy/helm/tempera-team';
const RELEASE = 'town';

/** Whatever a template made. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
}

const manifestShape = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});

const probe = z.looseObject({
  httpGet: z.object({ path: z.string(), port: z.string() }).optional(),
  exec: z.object({ command: z.array(z.string()) }).optional(),
});
const environmentVariable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
});
const containerShape = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(environmentVariable),
  securityContext: z.unknown(),
  resources: z.object({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
});
const podShape = z.looseObject({
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: z.number(),
  securityContext: z.unknown(),
  containers: z.array(containerShape).length(1),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const workloadShape = z.looseObject({ spec: z.looseObject({ template: z.looseObject({ spec: podShape }) }) });

/** A pod as a Deployment or the Job makes it. */
export type Pod = z.output<typeof podShape>;

/** The values that the tests render: `ci/<name>-values.yaml`. */
export const valueSets = readdirSync(`${root}${CHART}/ci`).map((file) => `${CHART}/ci/${file}`);

/** Runs `helm template` with a set of values and changes to it. */
export const renderChart = (helm: string, values: string | null, changes: readonly string[] = []): Promise<Ran> => {
  const set = changes.flatMap((change) => [change.endsWith('=[]') ? '--set-json' : '--set', change]);
  // Files, as a person would give them: the mutual-tls values leave the certificate to the command line.
  const files = values?.includes('mutual-tls') === true ? tlsFiles : [];
  return runTool(helm, ['template', RELEASE, CHART, ...(values === null ? [] : ['-f', values]), ...files, ...set]);
};

const tlsFiles = [
  '--set-string',
  'ingress.tls.certificate=-----BEGIN CERTIFICATE-----\nmade up',
  '--set-string',
  'ingress.tls.key=-----BEGIN PRIVATE KEY-----\nmade up',
];

/** The documents of a rendered chart. */
export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter((document) => document !== null)
    .map((document) => manifestShape.parse(document));

/** What runs a component: a CronJob by the job that it makes. */
const workloadOf = (manifest: Manifest): unknown =>
  manifest.kind === 'CronJob'
    ? (Reflect.get(manifest, 'spec') as { readonly jobTemplate?: unknown } | undefined)?.jobTemplate
    : manifest;

/** The pod of a component. @throws where there is none */
export const podOf = (manifests: readonly Manifest[], component: string): Pod => {
  const workload = manifests.find(
    ({ kind, metadata }) =>
      ['Deployment', 'Job', 'CronJob'].includes(kind) && metadata.labels['app.kubernetes.io/component'] === component,
  );
  return workloadShape.parse(workload === undefined ? undefined : workloadOf(workload)).spec.template.spec;
};

/** The environment of a pod; what comes from a Secret as `secret/key`. */
export const environmentOf = (pod: Pod): Map<string, string> =>
  new Map(
    pod.containers[0]?.env.map(({ name, value, valueFrom }) => {
      const reference = valueFrom?.secretKeyRef;
      return [name, reference === undefined ? (value ?? '') : `${reference.name}/${reference.key}`];
    }),
  );
