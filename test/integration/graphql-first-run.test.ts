import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed, type SeedSettings } from '../../prisma/seed.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { type GraphQLClient, logIn } from '../support/graphql-client.js';

let api: TestApi;
let folder: string;
let settings: SeedSettings;

beforeAll(async () => {
  api = await startTestApi();
  folder = await mkdtemp(join(tmpdir(), 'tempera-first-run-'));
  settings = {
    apiUrl: api.url,
    publicUrl: 'http://memory.test',
    dataFolder: folder,
    ownerUrl: api.database.urls.migrator,
    textUrl: api.database.urls.text,
  };
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await api.close();
});

const ownerFrom = (shown: string): Promise<GraphQLClient> => {
  const code = /tmem_login_[A-Za-z0-9_-]+/.exec(shown)?.[0];
  if (code === undefined) throw new Error(`no code in:\n${shown}`);
  return logIn(api.url, code);
};
const memoriesOf = async (owner: GraphQLClient): Promise<number> => {
  const { memories } = await owner.send<{ memories: { totalCount: number } }>('{ memories(first: 1) { totalCount } }');
  return memories.totalCount;
};
const stateFile = (): string => join(folder, 'first-run.json');

describe('the first run', () => {
  it('makes a tenant, a project and memories, answers one question from them, and says what to do next', async () => {
    const shown = await seed(settings);
    expect(shown).toContain('Connecting Claude Code');
    expect(shown).toContain('http://memory.test/graphql');
    expect(shown).toMatch(/claude mcp add --transport stdio tempera -- node \/\S+\/apps\/mcp\/dist\/cli\.js serve/);
    const owner = await ownerFrom(shown);
    expect(await memoriesOf(owner)).toBe(8);
    const { memories } = await owner.send<{ memories: { nodes: { sessionId: string }[] } }>(
      '{ memories(first: 20) { nodes { sessionId } } }',
    );
    // What is of one session lends to each other, and these are unrelated.
    expect(new Set(memories.nodes.map(({ sessionId }) => sessionId)).size).toBe(8);
  });

  it('keeps its login where only its owner can read it', async () => {
    expect((await stat(stateFile())).mode & 0o777).toBe(0o600);
  });

  it('is not repeated: a later start shows the next steps with a fresh code', async () => {
    const shown = await seed(settings);
    expect(shown).not.toContain('Made the tenant');
    expect(await memoriesOf(await ownerFrom(shown))).toBe(8);
  });

  it('goes on where it was ended, and captures nothing twice', async () => {
    const state = JSON.parse(await readFile(stateFile(), 'utf8')) as Record<string, unknown>;
    await writeFile(stateFile(), JSON.stringify({ ...state, finished: false }), { mode: 0o600 });
    const shown = await seed(settings);
    expect(shown).toContain('Made the tenant');
    expect(await memoriesOf(await ownerFrom(shown))).toBe(8);
  });

  it('does not keep the service from starting when the owner has logged out everywhere', async () => {
    await (await ownerFrom(await seed(settings))).send('mutation { logout(everywhere: true) { sessionsEnded } }');
    const shown = await seed(settings);
    expect(shown).toContain('What to do next');
    expect(shown).not.toContain('tmem_login_');
  });

  it('puts no sample among the tenants of others', async () => {
    await rm(stateFile());
    expect(await seed(settings)).not.toContain('Made the tenant');
    expect(await api.database.doors.asSystem.listActiveTenants()).toHaveLength(1);
  });
});
