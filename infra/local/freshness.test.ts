import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginBuild, isBuilt, isInstalled, outputs, rememberBuild } from './freshness.mjs';
import { readJson } from './json-file.mjs';
import { projectRoot } from './paths.mjs';

describe('whether a checkout has to be installed and built again', () => {
  let root: string;
  const write = (path: string, content: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const build = (part: 'programs' | 'everything' = 'everything'): void => rememberBuild(root, beginBuild(root, part));
  const lock = (packages: object): string => JSON.stringify({ packages });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'freshness-test-'));
    for (const room of ['libs/core', 'apps/api', 'prisma', 'infra', 'test']) {
      write(`${room}/src/it.ts`, `export const room = '${room}';`);
    }
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'infra/local/build.mjs'])
      write(file, '{}');
    const programs = [{ path: 'libs/core' }, { path: 'prisma' }];
    write('tsconfig.programs.json', JSON.stringify({ references: programs }));
    write('tsconfig.json', JSON.stringify({ references: [...programs, { path: 'test' }] }));
    const tests = { outDir: '../dist', tsBuildInfoFile: '../dist/test/tsconfig.tsbuildinfo' };
    write('test/tsconfig.json', JSON.stringify({ compilerOptions: tests }));
    write('dist/test/it.js', '');
    write('libs/core/src/it.test.ts', '');
    write('libs/core/tsconfig.json', JSON.stringify({ compilerOptions: { outDir: 'dist' } }));
    write('prisma/tsconfig.json', JSON.stringify({ compilerOptions: { outDir: '../dist/prisma' } }));
    write('libs/core/dist/it.js', '');
    write('dist/prisma/it.js', '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is not built before the first build, and built after it', () => {
    expect(isBuilt(root)).toBe(false);
    build();
    expect(isBuilt(root)).toBe(true);
  });

  it('a changed, added or removed source, and a deleted output, make the build stale; dates do not', () => {
    build();
    utimesSync(join(root, 'libs/core/src/it.ts'), new Date(), new Date());
    expect(isBuilt(root)).toBe(true);

    write('libs/core/src/it.ts', 'export const room = 1;');
    expect(isBuilt(root)).toBe(false);
    build();
    write('apps/api/src/new.ts', '');
    expect(isBuilt(root)).toBe(false);
    build();
    rmSync(join(root, 'apps/api/src/new.ts'));
    expect(isBuilt(root)).toBe(false);
    build();
    rmSync(join(root, 'libs/core/dist'), { recursive: true });
    expect(isBuilt(root)).toBe(false);
  });

  it('a changed test leaves the programs built, and makes everything stale', () => {
    build();
    write('libs/core/src/it.test.ts', 'export {};');
    write('test/src/it.ts', 'export {};');
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([true, false]);
  });

  it('building the programs is not building everything; building everything is building the programs', () => {
    build('programs');
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([true, false]);
    build();
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([true, true]);
  });

  it('programs built from other sources meanwhile make everything stale, also once the sources are back', () => {
    const source = 'libs/core/src/it.ts';
    write(source, 'export const room = 1;');
    build();
    write(source, 'export const room = 2;');
    build('programs');
    write(source, 'export const room = 1;');
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([false, false]);
    build('programs');
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([true, true]);
  });

  it('a build that fails half-way leaves nothing that counts as built', () => {
    build();
    beginBuild(root, 'programs');
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([false, false]);
    build();
    beginBuild(root);
    expect([isBuilt(root, 'programs'), isBuilt(root)]).toEqual([false, false]);
  });

  it('what the build itself writes does not make it stale', () => {
    build();
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

describe('the two builds of this checkout', () => {
  interface Solution {
    readonly references: readonly { readonly path: string }[];
  }
  const pathsOf = (file: string): string[] =>
    (readJson(join(projectRoot, file), {}) as Solution).references.map(({ path }) => path);

  it('everything is the programs and more', () => {
    const programs = pathsOf('tsconfig.programs.json');
    const everything = pathsOf('tsconfig.json');
    expect(everything).toEqual(expect.arrayContaining(programs));
    expect(everything.length).toBeGreaterThan(programs.length);
  });

  it('no two rooms are built into one folder, so that neither is taken for the other', () => {
    const folders = outputs(projectRoot);
    expect(new Set(folders).size).toBe(folders.length);
  });

  it('no program compiles a test', () => {
    for (const path of pathsOf('tsconfig.programs.json').filter((room) => room !== 'prisma')) {
      expect(readJson(join(projectRoot, path, 'tsconfig.json'), {}).exclude).toContain('**/*.test.ts');
    }
  });
});
