import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../support/shipping/tools.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;

const PAGES = [
  'docs/operations.md',
  'deploy/RELEASE.md',
  'deploy/helm/tempera-team/README.md',
  'infra/terraform/README.md',
  'README.md',
];

describe.each(PAGES)('%s', (page) => {
  const text = read(page);

  it('leads only to pages and files that are there', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
      expect(existsSync(join(root, dirname(page), target)), target).toBe(true);
    }
    for (const [path] of text.matchAll(/(?<=`)(?:deploy|infra|test|prisma)\/[\w./-]+(?=`)/g)) {
      // A folder that a person makes for their certificate.
      if (path !== 'deploy/compose/tls') expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it('names only commands and values that there are', () => {
    const scripts = Object.keys(json('package.json')['scripts'] as object);
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(name);
    const values: unknown = parse(read('deploy/helm/tempera-team/values.yaml'));
    const named = text.matchAll(
      /(?<=`)((?:api|worker|migrate|backup|images|ingress|networkPolicy|telemetry|temporal)\.[\w.]+)(?==?\w*`)/g,
    );
    for (const [, path = ''] of named) {
      const value = path.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), values);
      expect(value, path).toBeDefined();
    }
  });
});

describe('a release', () => {
  it('has one version in every file that carries it', () => {
    const { version } = json('package.json');
    const manifests = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(join(root, folder)).map((room) => `${folder}/${room}/package.json`),
    );
    for (const path of manifests) {
      const manifest = json(path);
      expect(manifest['version'], path).toBe(version);
      for (const [name, wanted] of Object.entries(Object(manifest['dependencies']))) {
        if (name.startsWith('@tempera/')) expect(wanted, `${path} ${name}`).toBe(version);
      }
    }
    const tags = [...read('docker-compose.yml').matchAll(/image: tempera-team\/(\w+):(\S+)/g)];
    expect([...new Set(tags.map(([, name]) => name))].sort()).toEqual(['api', 'backup', 'migrate', 'worker']);
    for (const [, , tag] of tags) expect(tag).toBe(version);
    expect(parse(read('deploy/helm/tempera-team/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('carries no digest, since none was fetched', () => {
    const files = ['docker-compose.yml', 'deploy/Dockerfile', 'deploy/helm/tempera-team/values.yaml'];
    for (const path of files) expect(read(path), path).not.toMatch(/sha256:[0-9a-f]{64}/);
  });
});
