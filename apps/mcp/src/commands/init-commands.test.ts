import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const AT = '2026-12-07T09:30:00.000Z';
const ID = '44444444-0000-4000-8000-000000000004';
const OTHER_REMOTE = 'git@git.example.com:acme/Pay-Desk.git';

const answerCreate = (): void => {
  line.service.state.answers['createProject'] = ({ input }) => ({
    ...(input as object),
    id: ID,
    members: [],
    myRole: 'MAINTAINER',
    createdAt: AT,
  });
};
const answerMe = (role: string): void => {
  const user = { id: ID, displayName: 'Ana', email: null, role, createdAt: AT };
  const tenant = { id: ID, name: 'Acme', timeZone: 'UTC', createdAt: AT };
  line.service.state.answers['me'] = () => ({ user, tenant, memberships: [] });
};

describe('tempera project', () => {
  it('creates one with the remotes of this folder, and says what comes next', async () => {
    await line.makeRepository(OTHER_REMOTE);
    answerCreate();
    const ran = await line.run(['project', 'create', 'pay-desk', '--name', 'Pay desk', '--remote', 'auto']);
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('tempera invite NAME --project pay-desk') });
    const remotes = ['https://git.example.com/acme/Pay-Desk'];
    expect(line.asked('createProject')).toEqual([{ input: { slug: 'pay-desk', name: 'Pay desk', remotes } }]);
  });

  it('refuses auto where there is no remote, before anything is sent', async () => {
    answerCreate();
    expect((await line.run(['project', 'create', 'x', '--remote', 'auto'])).exitCode).toBe(2);
    expect(line.asked('createProject')).toEqual([]);
  });

  it('lists them as a table, or as JSON', async () => {
    const { out } = await line.run(['project', 'list']);
    expect(out.split('\n')[0]).toMatch(/^PROJECT +NAME +YOUR ROLE +SINCE +REMOTES$/);
    expect(out.split('\n')[1]).toMatch(/^web-shop +Web Shop +contributor +2026-01-01 00:00Z +git\.example\.com/);
    expect(JSON.parse((await line.run(['project', 'list', '--json'])).out)).toMatchObject({
      nodes: [{ slug: 'web-shop' }],
      hasMore: false,
    });
    expect((await line.run(['project', 'list', '--limit', 'many'])).exitCode).toBe(2);
  });
});

describe('tempera init where no project has the remote', () => {
  beforeEach(() => line.makeRepository(OTHER_REMOTE));

  it('creates one with --yes for who may, and binds it', async () => {
    answerMe('OWNER');
    answerCreate();
    const ran = await line.run(['init', '--yes', '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({ project: 'pay-desk' });
    expect(line.asked('createProject')).toHaveLength(1);
  });

  it('tells who only looks what a folder is bound to, and one Enter binds it to nothing else', async () => {
    answerMe('OWNER');
    answerCreate();
    await line.run(['init', '--yes']);
    const looked = await line.atTerminal(['init'], ['']);
    expect(looked).toMatchObject({ exitCode: 0, out: expect.stringContaining('is bound to project pay-desk') });
    expect(line.asked('createProject')).toHaveLength(1);
  });

  it('asks a person at the terminal, and makes nothing without a yes', async () => {
    answerMe('ADMIN');
    answerCreate();
    const declined = await line.atTerminal(['init'], ['n', 'no-such']);
    expect(declined.err).toContain('Create project pay-desk for it? [Y/n]');
    expect(declined.exitCode).toBe(4);
    expect(line.asked('createProject')).toEqual([]);
    expect((await line.atTerminal(['init'], ['y'])).out).toContain('to project pay-desk');
  });

  it('without a terminal says what --yes would create, and creates nothing', async () => {
    answerMe('OWNER');
    answerCreate();
    const ran = await line.run(['init']);
    expect(ran).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('`tempera init --yes` creates project pay-desk'),
    });
    expect(ran.err).toContain('(web-shop)');
    expect(line.asked('createProject')).toEqual([]);
    expect((await line.run(['init', '--help'])).out).toMatch(/--yes[^]*create it where there is none/);
  });

  it('offers nothing to who may not, and says who can', async () => {
    answerMe('MEMBER');
    answerCreate();
    const ran = await line.run(['init', '--yes']);
    expect(ran).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('No project that you are in has the remote'),
    });
    expect(line.asked('createProject')).toEqual([]);
  });
});

describe('tempera init in a folder that is bound', () => {
  it('says so without a terminal, and changes nothing', async () => {
    await line.run(['init', '--project', 'web-shop', '--yes']);
    const ran = await line.run(['init']);
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('is bound to project web-shop.') });
    expect(ran.out).toContain('`tempera init --unbind`');
    expect(JSON.parse((await line.run(['init', '--json'])).out)).toMatchObject({ project: 'web-shop' });
  });

  it('shows the line for Claude Code that the help and the README show', async () => {
    const { out } = await line.run(['init', '--project', 'web-shop', '--yes']);
    const shown = 'claude mcp add --transport stdio tempera -- tempera serve';
    const readme = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
    expect(out).toContain(shown);
    for (const words of [['--help'], ['serve', '--help']]) expect((await line.run(words)).out).toContain(shown);
    expect(readme('apps/mcp/README.md')).toContain(shown);
    for (const path of ['README.md', 'prisma/seed-text.ts', 'prisma/seed-memories.ts'])
      expect(readme(path)).toMatch(/claude mcp add --transport stdio tempera -- (?:node \S+|npx tempera) serve/);
  });
});
