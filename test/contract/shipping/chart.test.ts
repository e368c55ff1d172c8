import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  environmentSchema as apiEnvironment,
  parseSettings as parseApiSettings,
} from '../../../apps/api/src/config/settings.js';
import {
  environmentSchema as workerEnvironment,
  parseSettings as parseWorkerSettings,
} from '../../../apps/worker/src/config/settings.js';
import { CHART, environmentOf, type Manifest, podOf, valueSets } from '../../support/shipping/chart.js';
import { componentsOf, useChart, valuesOf } from '../../support/shipping/rendering.js';
import { getTool, type Had, need, root, runTool, tools } from '../../support/shipping/tools.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { helm, render, refusal } = useChart();
let schemas: Had<string>;
beforeAll(async () => {
  schemas = await getTool(tools.kubernetesSchemas);
}, 300_000);

/** Made once each: compiling what a pod may hold takes seconds. */
const checkers = new Map<string, Ajv.Ajv>();
const checks = new Map<string, Ajv.ValidateFunction>();

const newChecker = (folder: string, version: string): Ajv.Ajv => {
  // The schemas are the cluster's own; they are compiled, not judged.
  const options = { allErrors: true, inlineRefs: false, validateSchema: false, unknownFormats: 'ignore' as const };
  const ajv = new Ajv({ ...options, logger: false });
  ajv.addSchema({ ...tools.definitionsOf(folder, version), $schema: undefined }, '/api/_definitions.json');
  checkers.set(version, ajv);
  return ajv;
};

const checkOf = (folder: string, version: string, { apiVersion, kind }: Manifest): Ajv.ValidateFunction => {
  const known = checks.get(`${version} ${kind}`);
  if (known !== undefined) return known;
  const checker = checkers.get(version) ?? newChecker(folder, version);
  const check = checker.compile({ ...tools.schemaOf(folder, version, apiVersion, kind), $schema: undefined });
  checks.set(`${version} ${kind}`, check);
  return check;
};

/** What a manifest has against the schema of its kind in a version of Kubernetes. */
const faultsOf = (folder: string, version: string, manifest: Manifest): string[] => {
  const check = checkOf(folder, version, manifest);
  if (check(manifest) === true) return [];
  return (check.errors ?? []).map((error) => `${manifest.kind} ${error.dataPath} ${error.message ?? ''}`);
};

describe.each(valueSets)('the chart with %s', { timeout: 120_000 }, (values) => {
  it('makes nothing but what Kubernetes knows, in the oldest and the newest version it is for', async ({ skip }) => {
    const manifests = await render(skip, values);
    expect(manifests.length).toBeGreaterThan(12);
    const folder = need(schemas, skip);
    for (const version of tools.KUBERNETES_VERSIONS) {
      expect(manifests.flatMap((manifest) => faultsOf(folder, version, manifest))).toEqual([]);
    }
    expect((await runTool(helm(skip), ['lint', '--strict', CHART, '-f', values])).code).toBe(0);
  });

  it('gives each program a place where it can do little', async ({ skip }) => {
    const manifests = await render(skip, values);
    for (const component of componentsOf(values)) {
      const pod = podOf(manifests, component);
      expect(pod, component).toMatchObject({
        serviceAccountName: `town-${component}`,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 45,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(pod.containers[0]).toMatchObject({
        image: expect.stringMatching(/(?::\d[\w.-]*|@sha256:[0-9a-f]{64})$/),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
      });
      const account = manifests.find(
        ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === `town-${component}`,
      );
      expect(account).toMatchObject({ automountServiceAccountToken: false });
    }
  });

  it('holds no secret, and every file that a setting names is mounted', async ({ skip }) => {
    const manifests = await render(skip, values);
    const kinds = manifests.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name);
    expect(kinds).toEqual(values.includes('mutual-tls') ? ['town-tls'] : []);
    for (const component of componentsOf(values)) {
      const pod = podOf(manifests, component);
      for (const [name, value] of environmentOf(pod)) {
        if (/^DATABASE_.*_URL$/.test(name)) expect(value).toMatch(/^tempera-database\/DATABASE_\w+_URL$/);
        if (name.endsWith('_FILE') && name !== 'WORKER_ALIVE_FILE') {
          const mounted = pod.containers[0]?.volumeMounts.filter(({ mountPath }) => value.startsWith(`${mountPath}/`));
          expect(mounted, name).toMatchObject([{ readOnly: true }]);
        }
      }
    }
  });
});

describe('the environment of the programs, by the chart', () => {
  /** Made for the embedded database, which no cluster has. */
  const ELSEWHERE = ['DATABASE_EMBEDDED'];

  it('is every setting that they read, and none that they do not', async ({ skip }) => {
    const sets = await Promise.all(valueSets.map((values) => render(skip, values)));
    const namesOf = (component: string): string[] => [
      ...new Set(sets.flatMap((manifests) => [...environmentOf(podOf(manifests, component)).keys()])),
    ];
    const settable = (schema: { readonly shape: object }): string[] =>
      Object.keys(schema.shape).filter((name) => !ELSEWHERE.includes(name));
    expect(namesOf('api').sort()).toEqual(settable(apiEnvironment).sort());
    expect(namesOf('worker').sort()).toEqual(settable(workerEnvironment).sort());
    const logins = ['ADMIN', 'APP', 'MIGRATOR', 'OPERATOR', 'TEXT', 'WORKER'].map((login) => `DATABASE_${login}_URL`);
    expect(namesOf('migrate').sort()).toEqual(logins);
    expect(namesOf('partitions')).toEqual(['DATABASE_MIGRATOR_URL']);
    const manifests = await render(skip, valuesOf('temporal-cloud'));
    expect([...environmentOf(podOf(manifests, 'backup')).keys()]).toEqual(['DATABASE_BACKUP_URL']);
  });

  it.for(valueSets)('starts both programs, as %s has it', async (values, { skip }) => {
    const manifests = await render(skip, values);
    const [api, worker] = ['api', 'worker'].map((component) => {
      const environment = environmentOf(podOf(manifests, component));
      const filled = [...environment].map(([name, value]): [string, string] =>
        value.startsWith('tempera-database/') ? [name, 'postgresql://somebody:x@db/tempera'] : [name, value],
      );
      return Object.fromEntries(filled);
    });
    const settings = parseApiSettings(api ?? {});
    expect(settings).toMatchObject({ profile: 'production', publicUrl: 'https://memory.example.com' });
    expect(settings.oidc?.issuer).toBe(values.includes('temporal-cloud') ? 'https://id.example.com' : undefined);
    const { temporal } = parseWorkerSettings(worker ?? {});
    expect(temporal.apiKeyFile !== undefined).toBe(values.includes('temporal-cloud'));
    expect(temporal.tls?.client !== undefined).toBe(values.includes('mutual-tls'));
  });

  it('keeps each login where it is used', async ({ skip }) => {
    const manifests = await render(skip, valuesOf('own-temporal'));
    const [api, worker] = [podOf(manifests, 'api'), podOf(manifests, 'worker')].map((pod) => JSON.stringify(pod));
    for (const login of ['WORKER', 'MIGRATOR', 'ADMIN']) expect(api).not.toContain(`DATABASE_${login}_URL`);
    for (const word of ['OPERATOR', 'MIGRATOR', 'ADMIN']) {
      expect(worker).not.toContain(`DATABASE_${word}_URL`);
    }
    expect(worker).not.toContain('tempera-keys');
  });
});

describe('the probes of the chart', () => {
  it('ask what the programs answer', async ({ skip }) => {
    const manifests = await render(skip, valuesOf('own-temporal'));
    const [api, worker] = [podOf(manifests, 'api').containers[0], podOf(manifests, 'worker').containers[0]];
    const routes = [...read('apps/api/src/health/health.controller.ts').matchAll(/@Get\('(\w+)'\)/g)].map(
      ([, path]) => path,
    );
    const asked = [api?.startupProbe, api?.livenessProbe, api?.readinessProbe].map((one) => one?.httpGet);
    expect(asked.map((one) => one?.path)).toEqual(['/livez', '/livez', '/readyz']);
    for (const one of asked) {
      expect(routes).toContain(one?.path.slice(1));
      expect(one?.port).toBe(api?.ports?.[0]?.name);
    }
    expect(environmentOf(podOf(manifests, 'api')).get('API_PORT')).toBe(String(api?.ports?.[0]?.containerPort));
    for (const one of [worker?.startupProbe, worker?.livenessProbe]) {
      expect(one?.exec?.command[0]).toBe('node');
      const source = one?.exec?.command[1]?.replace('/dist/', '/src/').replace(/\.js$/, '.ts') ?? 'none';
      expect(read(source)).toContain('health check');
    }
  });
});

describe('the release of the chart', () => {
  it('runs the migrate job first, with all that it needs, and keeps its log', async ({ skip }) => {
    const manifests = await render(skip, valuesOf('own-temporal'));
    const hooks = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
    const weights = hooks.map(({ kind, metadata }) => [kind, metadata.annotations?.['helm.sh/hook-weight']]);
    expect(weights.sort()).toEqual([
      ['Job', '0'],
      ['NetworkPolicy', '-10'],
      ['ServiceAccount', '-10'],
    ]);
    for (const { metadata } of hooks) {
      expect(metadata.annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-delete-policy': 'before-hook-creation',
      });
    }
  });

  it('gives large tenants partitions once a day, by a program that is there', async ({ skip }) => {
    const manifests = await render(skip, valuesOf('own-temporal'));
    const job = manifests.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === 'town-partitions');
    expect(job).toMatchObject({ spec: { schedule: '40 1 * * *', concurrencyPolicy: 'Forbid' } });
    const command = podOf(manifests, 'partitions').containers[0]?.command ?? [];
    expect(command).toEqual(['node', '/app/dist/prisma/tenant-partition-cli.js', '--due']);
    expect(read('prisma/tenant-partition-cli.ts')).toContain('due: {');
  });

  it.for([
    [null, [], ['publicUrl', 'database/existingSecret', 'signingKeys/existingSecret', 'temporal/address']],
    ['own-temporal', ['publicUrl=http://memory.example.com'], ['publicUrl']],
    ['own-temporal', ['publicUrl=https://memory.example.com/'], ['publicUrl']],
    ['own-temporal', ['temporal.address=temporal'], ['temporal/address']],
    ['own-temporal', ['oidc.issuer=https://id.example.com'], ['oidc']],
    ['own-temporal', ['oidc.clientId=tempera'], ['oidc']],
    ['own-temporal', ['images.api.digest=sha256:abc'], ['images/api/digest']],
    ['own-temporal', ['api.trustedProxies[0]=proxy.example.com'], ['trustedProxies']],
    ['own-temporal', ['api.replica=3'], ["'replica' not allowed"]],
    ['own-temporal', ['database.password=x'], ["'password' not allowed"]],
    ['own-temporal', ['ingress.tls.existingSecret='], ['must not travel in the clear']],
    ['own-temporal', ['ingress.tls.certificate=-----BEGIN CERTIFICATE-----'], ['ingress.tls']],
    ['temporal-cloud', ['backup.existingClaim='], ['backup.existingClaim']],
    ['temporal-cloud', ['backup.recipients=[]'], ['backup.recipients']],
    ['temporal-cloud', ['backup.recipients[0]=AGE-SECRET-KEY-1QQ'], ['backup/recipients']],
    ['temporal-cloud', ['api.autoscaling.minReplicas=9'], ['api.autoscaling.minReplicas']],
  ] as const)('refuses %s with %j by the name of what is wrong', async ([values, changes, words], { skip }) => {
    const told = await refusal(skip, values === null ? null : valuesOf(values), ...changes);
    for (const word of words) expect(told).toContain(word);
  });

  it('has a default for every value that its schema knows, and carries the version of the product', () => {
    const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as object;
    const missing: string[] = [];
    const walk = (part: object, value: unknown, path: string): void => {
      for (const [name, child] of Object.entries(Object(Reflect.get(part, 'properties'))) as [string, object][]) {
        const own: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
        const isOpen = Reflect.get(child, 'properties') === undefined;
        // Given by Helm, or handed to Kubernetes as it is.
        if (own === undefined && !['global', 'claims', 'limits'].includes(name)) missing.push(`${path}${name}`);
        if (!isOpen) walk(child, own, `${path}${name}.`);
      }
    };
    walk(schema, parse(read(`${CHART}/values.yaml`)), '');
    expect(missing).toEqual([]);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });
});
