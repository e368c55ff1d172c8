import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt, isInstalled, rememberBuild, sourcesDigest } from './freshness.mjs';

describe('whether a checkout has to be installed and built again', () => {
  let root: string;
  const write = (path: string, content: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const lock = (packages: object): string => JSON.stringify({ packages });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'freshness-test-'));
    for (const room of ['libs/core', 'apps/api', 'prisma', 'infra', 'test']) {
      write(`${room}/src/it.ts`, `export const room = '${room}';`);
    }
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'infra/local/build.mjs'])
      write(file, '{}');
    write('tsconfig.json', JSON.stringify({ references: [{ path: 'libs/core' }, { path: 'prisma' }] }));
    write('libs/core/tsconfig.json', JSON.stringify({ compilerOptions: { outDir: 'dist' } }));
    write('prisma/tsconfig.json', JSON.stringify({ compilerOptions: { outDir: '../dist/prisma' } }));
    write('libs/core/dist/it.js', '');
    write('dist/prisma/it.js', '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is not built before the first build, and built after it', () => {
    expect(isBuilt(root)).toBe(false);
    rememberBuild(root, sourcesDigest(root));
    expect(isBuilt(root)).toBe(true);
  });

  it('a changed, added or removed source, and a deleted output, make the build stale; dates do not', () => {
    rememberBuild(root, sourcesDigest(root));
    utimesSync(join(root, 'libs/core/src/it.ts'), new Date(), new Date());
    expect(isBuilt(root)).toBe(true);

    write('libs/core/src/it.ts', 'export const room = 1;');
    expect(isBuilt(root)).toBe(false);
    rememberBuild(root, sourcesDigest(root));
    write('apps/api/src/new.ts', '');
    expect(isBuilt(root)).toBe(false);
    rememberBuild(root, sourcesDigest(root));
    rmSync(join(root, 'apps/api/src/new.ts'));
    expect(isBuilt(root)).toBe(false);
    rememberBuild(root, sourcesDigest(root));
    rmSync(join(root, 'libs/core/dist'), { recursive: true });
    expect(isBuilt(root)).toBe(false);
  });

  it('what the build itself writes does not make it stale', () => {
    rememberBuild(root, sourcesDigest(root));
    write('libs/core/dist/other.ts', '');
    write('libs/platform/src/generated/client.ts', '');
    write('apps/api/node_modules/x/index.ts', '');
    expect(isBuilt(root)).toBe(true);
  });

  it('is installed when every package is there in its version', () => {
    const wanted = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/@t/core': { link: true } };
    write('package-lock.json', lock(wanted));
    expect(isInstalled(root)).toBe(false);
    write('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(isInstalled(root)).toBe(true);
    write('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.1' } }));
    expect(isInstalled(root)).toBe(false);
    write('node_modules/.package-lock.json', lock({}));
    expect(isInstalled(root)).toBe(false);
  });

  it('a package of another platform may be absent, but not be there in another version', () => {
    write('package-lock.json', lock({ 'node_modules/win': { version: '1.0.0', optional: true } }));
    write('node_modules/.package-lock.json', lock({}));
    expect(isInstalled(root)).toBe(true);
    write('node_modules/.package-lock.json', lock({ 'node_modules/win': { version: '2.0.0' } }));
    expect(isInstalled(root)).toBe(false);
  });
});
