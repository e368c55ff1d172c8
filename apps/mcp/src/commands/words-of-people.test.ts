import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../program.js';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];

describe('--json', () => {
  it('makes one JSON value on standard output of whatever the command line itself refuses, and nothing beside it', async () => {
    for (const words of [
      ['nonsense'],
      ['retrieve', '--nonsense'],
      ['retrieve', 'x', '--json', '--limit'],
      ['feedback', 'helpful'],
      ['pin'],
      ['admin', 'users', 'nonsense'],
      ['token'],
    ]) {
      const ran = await line.run(words.includes('--json') ? words : [...words, '--json']);
      expect([words, ran.exitCode, ran.err]).toEqual([words, 2, '']);
      const { error } = JSON.parse(ran.out) as { error: { kind: string; message: string } };
      expect(error).toMatchObject({ kind: 'invalid-input', code: 'usage' });
      expect(error.message).not.toMatch(/^error|outputHelp|^$/);
    }
    expect((await line.run(['retrieve', '--nonsense'])).err).toContain("unknown option '--nonsense'");
  });
});

describe('an error', () => {
  it('names what was typed, not the arguments of the API', async () => {
    const kinds = await line.run(['retrieve', 'x', '--kinds', 'nonsense,rubbish']);
    expect(kinds.err).toContain('--kinds is one of: episode');
    expect(kinds.err).not.toContain('kinds.');
    const told: Readonly<Record<string, string>> = {
      '`expiresInDays` is a whole number from 1 to 90.': '--days is a whole number from 1 to 90.',
      'Scope GROUP needs `group`, the slug of one.': '--scope group needs --group, the slug of one.',
      '`group` goes with scope GROUP.': '--group goes with --scope group.',
      '`filesModified` is too long.': '--files is too long.',
      'Run `tempera login`.': 'Run `tempera login`.',
    };
    for (const [api, typed] of Object.entries(told)) {
      line.service.state.answers['issueToken'] = () => {
        throw refusal('BAD_USER_INPUT', api);
      };
      const ran = await line.run(['token', 'create', 'ci', '--days', '900', '--json']);
      expect(JSON.parse(ran.out)).toMatchObject({ error: { message: typed } });
    }
  });

  it('says the same of every word that is no id, before anything is sent', async () => {
    const sent = line.service.state.asked.length;
    for (const words of [
      ...['pin', 'unpin', 'archive', 'refute', 'restore', 'forget', 'unshare', 'undo-share', 'undo'].map((name) => [
        name,
        'nonsense',
      ]),
      ['refute', 'a1b2c3d4', '--by', 'nonsense'],
      ['edit', 'nonsense', '--tags', 'a'],
      ['edit', 'a1b2c3d4', '--supersedes', 'nonsense'],
      ['expire', 'nonsense', 'none'],
      ['capture', '--text', 'x', '--supersedes', 'nonsense'],
      ['feedback', 'helpful', '--episodes', 'a1b2c3d4,nonsense'],
      ['feedback', 'helpful', '--episodes', 'a1b2c3d4', '--retrieval', 'nonsense'],
      ['share', 'nonsense', '--tenant'],
      ['transfer', 'nonsense', '0192f0c4-0000-4000-8000-000000000001'],
      ['merge', 'a1b2c3d4', 'b2c3d4e5', 'nonsense'],
      ['resolve', 'a1b2c3d4', 'nonsense', '--keep', 'both'],
      ['proposals', 'withdraw', 'nonsense'],
      ['admin', 'users', 'suspend', 'nonsense'],
    ]) {
      const ran = await line.run([...words, '--json']);
      const { error } = JSON.parse(ran.out) as { error: { code: string; message: string } };
      expect([words, ran.exitCode, error.message]).toEqual([words, 2, '"nonsense" is no id.']);
    }
    expect(line.service.state.asked).toHaveLength(sent);
  });
});

describe('the help', () => {
  it('of every command begins as a sentence does', async () => {
    const program = buildProgram(line.home.world, false, { on: () => undefined }, () => undefined);
    const commands = commandsOf(program);
    expect(commands.length).toBeGreaterThan(80);
    // What a help names in backticks is a line that runs.
    const named = commands.flatMap((command) => command.description().match(/`tempera [^`]+`/g) ?? []);
    expect(named).toContain('`tempera retrieve --all --refuted`');
    for (const found of named) {
      const { err } = await line.run(found.slice(9, -1).split(' '));
      expect([found, err.includes('unknown option'), err.includes('There is no question')]).toEqual([
        found,
        false,
        false,
      ]);
    }
    expect(commands.map((command) => command.description()).filter((text) => !/^[A-Z].*\.$/s.test(text))).toEqual([]);
  });
});

describe('tempera init', () => {
  const me = (role: string): void => {
    line.service.state.answers['me'] = () => ({
      user: { id: '1', displayName: 'Ana', email: null, role, createdAt: '2026-01-01T00:00:00Z' },
      tenant: { id: '2', name: 'Acme', timeZone: 'UTC', createdAt: '2026-01-01T00:00:00Z' },
      memberships: [],
    });
  };
  const created = (): void => {
    line.service.state.answers['createProject'] = ({ input }) => ({
      ...Object(input),
      members: [],
      myRole: 'MAINTAINER',
    });
  };

  it('in a folder without a remote offers to make a project named after it, or to bind one of yours', async () => {
    me('ADMIN');
    created();
    const ran = await line.atTerminal(['init'], ['y']);
    expect(ran.err).toMatch(/has no git remote\. Create project [a-z0-9-]+ for it\? \[Y\/n\]/);
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('Bound') as string });
    expect(line.asked('createProject')).toMatchObject([{ input: { remotes: [] } }]);
    const bound = await line.atTerminal(['init', '--unbind'], []);
    expect(bound.exitCode).toBe(0);
    expect((await line.atTerminal(['init'], ['n', 'web-shop'])).out).toContain('to project web-shop');
  });

  it('makes nothing of a folder’s name unasked, and says how', async () => {
    me('ADMIN');
    created();
    const ran = await line.run(['init', '--yes']);
    expect(ran).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/tempera project create [a-z0-9-]+/) as string,
    });
    expect(line.asked('createProject')).toEqual([]);
  });
});

describe('tempera proposals', () => {
  const stale = {
    id: '44444444-0000-4000-8000-000000000004',
    memoryId: 'a1b2c3d4-0000-4000-8000-000000000001',
    state: 'STALE',
    reason: null,
    revision: 1,
    createdAt: '2026-01-01T00:00:00Z',
    decidedAt: '2026-01-02T00:00:00Z',
    proposer: { displayName: 'Ana' },
    decidedBy: null,
    scope: 'PROJECT',
    to: { scope: 'PROJECT', project: { slug: 'web-shop' }, group: null },
    content: null,
  };

  it('tells an owner what went stale, and what that means', async () => {
    line.service.state.answers['proposals'] = ({ filter }) => ({
      nodes: Reflect.get(Object(filter), 'state') === 'STALE' ? [stale] : [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    expect((await line.run(['proposals'])).out).toContain('1 of yours: `tempera proposals list --state stale --mine`');
    expect((await line.run(['proposals', '--project', 'web-shop'])).out).toContain('--mine --project web-shop`');
    const listed = (await line.run(['proposals', 'list', '--state', 'stale', '--mine'])).out;
    expect(listed).toContain('Share it again to propose what it says now');
    expect(listed).not.toContain('Decided');
  });
});
