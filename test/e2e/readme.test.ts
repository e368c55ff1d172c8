import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../prisma/seed.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { runCli } from '../support/developer.js';
import { projectRoot } from '../support/programs.js';

/** A line of the README as a shell reads it. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
const CODE = /tmem_[a-z]+_[A-Za-z0-9_-]+/;

describe('the path of the README', () => {
  let folder: string;
  let api: TestApi;
  let printed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tempera-readme-'));
    api = await startTestApi();
    printed = await seed({
      apiUrl: api.url,
      publicUrl: api.url,
      dataFolder: folder,
      ownerUrl: api.database.urls.migrator,
      textUrl: api.database.urls.text,
    });
  }, 120_000);
  afterAll(async () => {
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads two people in one checkout to one memory, by its own lines and nothing else', async () => {
    const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
    const section = /^## Two agents, one memory$([^]*?)^## /m.exec(readme)?.[1] ?? '';
    const blocks = [...section.matchAll(/```\n([^]*?)```/g)].map((match) => match[1] ?? '');
    expect(blocks).toHaveLength(3);
    let code = CODE.exec(printed.slice(printed.indexOf('Log in')))?.[0] ?? '';
    let output = '';
    for (const block of blocks) {
      let env = { PATH: process.env['PATH'] ?? '', HOME: folder, TEMPERA_HOME: '' };
      for (const line of block
        .trim()
        .split('\n')
        .map((text) => text.trim())) {
        const home = /^export TEMPERA_HOME=\$HOME(\/\S+)$/.exec(line)?.[1];
        if (home !== undefined) {
          env = { ...env, TEMPERA_HOME: `${folder}${home}` };
          continue;
        }
        const id = /\b[0-9a-f]{8}\b/.exec(output)?.[0] ?? '';
        const [npx, name, ...words] = wordsOf(line.replace('http://127.0.0.1:4747', api.url).replace('<id>', id));
        expect([npx, name]).toEqual(['npx', 'tempera']);
        output = await runCli(words, { cwd: projectRoot, env }, words[0] === 'login' ? { input: `${code}\n` } : {});
        if (words[0] === 'retrieve') {
          expect(output).toContain('Use the read replica for reports');
          expect(output).toMatch(/^1\. [0-9a-f]{8} · decision · tempera-team · /m);
          expect(output).toContain('author="Ben"');
        }
        code = CODE.exec(output)?.[0] ?? code;
      }
    }
    expect(output).toMatch(/^Recorded as helpful: [0-9a-f]{8}\./);
  }, 120_000);
});
