import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentSchema as apiEnvironment } from '../../apps/api/src/config/settings.js';
import { environmentSchema as workerEnvironment } from '../../apps/worker/src/config/settings.js';
import { getTool, type Had, need, type Ran, root, runTool, tools } from '../support/shipping/tools.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const serviceShape = z.object({
  image: z.string(),
  build: z.object({ dockerfile: z.string(), target: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const composeText = read('docker-compose.yml');
const { services } = z
  .object({ services: z.record(z.string(), serviceShape) })
  .parse(parse(composeText, { merge: true }));
const service = (name: string): z.infer<typeof serviceShape> => serviceShape.parse(services[name]);

const exampleText = read('.env.example');
const example = new Map([...exampleText.matchAll(/^([A-Z_]+)=(.*)$/gm)].map((line) => [line[1] ?? '', line[2] ?? '']));
const dockerfile = read('deploy/Dockerfile');

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as compose fills them in. */
const interpolate = (text: string): string =>
  text.replaceAll(/\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_all, name: string, fallback?: string) => {
    const value = example.get(name);
    if (name.endsWith('_PASSWORD')) return 'a-random-secret';
    return value === undefined || value === '' ? (fallback ?? '') : value;
  });
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(service(name).environment).map(([key, value]) => [key, interpolate(value)]));

type Compose = Awaited<ReturnType<typeof tools.composeProgram>>;
let compose: Had<Compose>;
beforeAll(async () => {
  compose = await getTool(tools.composeProgram);
}, 300_000);

describe('docker-compose.yml', () => {
  it.each([
    ['api', apiEnvironment],
    ['worker', workerEnvironment],
  ] as const)('gives the %s every setting it needs, and none it does not read', (name, schema) => {
    const environment = environmentOf(name);
    expect(schema.safeParse(environment).error).toBeUndefined();
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('gives the migrate job only settings that its programs read', () => {
    const sources = ['prisma/migrate.ts', 'prisma/roles.ts', 'prisma/operator-code.ts', 'deploy/compose/migrate.sh'];
    const readNames = new Set(sources.flatMap((path) => read(path).match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []));
    for (const name of Object.keys(service('migrate').environment)) expect([...readNames]).toContain(name);
  });

  it('keeps each login where it is used: the API never gets the worker’s, the worker neither operators’ nor keys', () => {
    expect(Object.keys(service('api').environment)).not.toContain('DATABASE_WORKER_URL');
    for (const name of ['DATABASE_OPERATOR_URL', 'SIGNING_KEYS_FILE']) {
      expect(Object.keys(service('worker').environment)).not.toContain(name);
    }
    for (const name of ['api', 'worker']) expect(JSON.stringify(service(name))).not.toContain('POSTGRES_PASSWORD');
  });

  it('asks, with its additions, for exactly the variables that .env.example explains', () => {
    const additions = readdirSync(join(root, 'deploy/compose')).filter((name) => name.endsWith('.yml'));
    const texts = [composeText, ...additions.map((name) => read(`deploy/compose/${name}`))].join('\n');
    const asked = new Set([...texts.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]));
    expect([...asked].sort()).toEqual([...example.keys()].sort());
  });

  it('names a fixed tag for every image and publishes no port beyond the loopback address, but the proxy’s', () => {
    for (const [name, { image, ports }] of Object.entries(services)) {
      expect(image, name).toMatch(/^[\w./-]+:\d[\w.-]*$/);
      // The proxy is what the world may reach.
      if (name === 'tls') continue;
      for (const port of ports) expect(interpolate(port), name).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
  });

  it('mounts only files that are there', () => {
    for (const { volumes } of Object.values(services)) {
      for (const volume of volumes.filter((path) => path.startsWith('./'))) {
        expect(existsSync(join(root, volume.split(':')[0] ?? '')), volume).toBe(true);
      }
    }
  });

  it('builds targets that the Dockerfile has', () => {
    const targets = [...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map((match) => match[1]);
    for (const { build } of Object.values(services)) if (build) expect(targets).toContain(build.target);
  });

  const config = async (files: readonly string[], skip: (note: string) => never, without?: string): Promise<Ran> => {
    const { command, args, env } = need(compose, skip);
    const filled = [...example]
      .filter(([name]) => name !== without)
      .map(([name, value]) => [name, value || (name.endsWith('_DIR') ? './here' : '1')]);
    return runTool(command, args(files), { ...env, ...(Object.fromEntries(filled) as Record<string, string>) });
  };

  it.for([['alone'], ['with a Temporal elsewhere', 'deploy/compose/temporal-elsewhere.yml']])(
    'is accepted by docker compose, %s',
    { timeout: 120_000 },
    async ([, ...additions], { skip }) => {
      const ran = await config(['docker-compose.yml', ...additions], skip);
      expect(ran).toMatchObject({ code: 0, err: '' });
      const made = z.object({ services: z.record(z.string(), z.unknown()) }).parse(parse(ran.out));
      expect(Object.keys(made.services).sort()).toEqual(Object.keys(services).sort());
    },
  );

  it('is refused by the name of a secret that is not set', { timeout: 120_000 }, async ({ skip }) => {
    for (const name of ['POSTGRES_PASSWORD', 'PUBLIC_URL']) {
      const { code, err } = await config(['docker-compose.yml'], skip, name);
      expect(code).not.toBe(0);
      expect(err).toContain(name);
    }
  });

  it('ends TLS at a proxy that is let in by name, and keeps what a person cannot read away from it', () => {
    const conf = read('deploy/compose/tls.conf');
    expect(conf).toContain(`proxy_pass http://api:${interpolate(service('api').environment['API_PORT'] ?? '')}`);
    const mounted = service('tls').volumes.map((volume) => volume.split(':').at(-2));
    for (const [, file = ''] of conf.matchAll(/ssl_certificate(?:_key)? (\S+);/g)) {
      expect(mounted.some((folder) => file.startsWith(`${folder ?? 'none'}/`))).toBe(true);
    }
    const listened = [...conf.matchAll(/listen (\d+)/g)].map(([, port]) => port);
    expect(service('tls').ports.map((port) => port.split(':').at(-1))).toEqual(listened);
    expect(JSON.stringify(service('tls'))).not.toMatch(/PASSWORD|signing-keys/);
  });
});

describe('deploy/Dockerfile', () => {
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const stage = (name: string): string => stages.find((text) => text.split('\n')[0]?.endsWith(` AS ${name}`)) ?? '';
  const sourceOf = (built: string): string =>
    built.startsWith('dist/')
      ? built.slice(5).replace(/\.js$/, '.ts')
      : built.replace('/dist/', '/src/').replace(/\.js$/, '.ts');

  it('starts programs that exist', () => {
    const scripts = `${dockerfile}\n${read('deploy/compose/migrate.sh')}`;
    const programs = new Set(
      [...scripts.matchAll(/(?:\/app\/)?((?:apps\/\w+\/)?dist\/[\w/-]+\.js)/g)].map((m) => m[1] ?? ''),
    );
    expect(programs.size).toBeGreaterThanOrEqual(6);
    for (const program of programs) expect(existsSync(join(root, sourceOf(program))), program).toBe(true);
  });

  it('copies only what is in the repository', () => {
    for (const line of dockerfile.match(/^COPY (?!--from)(?:--chmod=\d+ )?.+$/gm) ?? []) {
      const sources = line
        .replace(/^COPY (?:--chmod=\d+ )?/, '')
        .split(' ')
        .slice(0, -1);
      for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
    }
  });

  it('installs every workspace from its own manifest', () => {
    for (const folder of ['apps', 'libs']) {
      for (const room of readdirSync(join(root, folder))) {
        expect(stage('source')).toContain(`COPY ${folder}/${room}/package.json ${folder}/${room}/`);
      }
    }
  });

  it('runs as an ordinary user and says whether it is healthy', () => {
    expect(stage('runtime')).toMatch(/^USER node$/m);
    for (const name of ['api', 'worker']) {
      expect(stage(name)).toMatch(/^runtime AS /);
      expect(stage(name)).toMatch(/^HEALTHCHECK /m);
      expect(stage(name)).not.toMatch(/^USER /m);
    }
  });

  it('holds no secret', () => {
    expect(dockerfile).not.toMatch(/^(?:ENV|ARG) .*(?:PASSWORD|SECRET|TOKEN|KEY)/m);
    for (const [name, value] of example) if (name.endsWith('_PASSWORD')) expect(value).toBe('');
  });
});
