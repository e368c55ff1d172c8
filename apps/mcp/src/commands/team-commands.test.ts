import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';

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

  it('asks a person at the terminal, and makes nothing without a yes', async () => {
    answerMe('ADMIN');
    answerCreate();
    const declined = await line.atTerminal(['init'], ['n', 'no-such']);
    expect(declined.err).toContain('Create project pay-desk for it? [Y/n]');
    expect(declined.exitCode).toBe(4);
    expect(line.asked('createProject')).toEqual([]);
    expect((await line.atTerminal(['init'], ['y'])).out).toContain('to project pay-desk');
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

describe('tempera invite', () => {
  it('prints the code once, and the line that the invited person types', async () => {
    line.service.state.answers['inviteUser'] = () => ({
      id: ID,
      code: 'tmem_invite_secret',
      link: 'https://tempera.example/invite#tmem_invite_secret',
      expiresAt: AT,
    });
    const { out } = await line.run(['invite', 'Ben', '--project', 'web-shop', '--role', 'viewer']);
    expect(out.match(/tmem_invite_secret/g)).toHaveLength(1);
    expect(out).toContain(`tempera login --server ${line.service.url}`);
    expect(out).toContain('https://tempera.example/invite\n');
    expect(line.asked('inviteUser')).toMatchObject([
      { input: { displayName: 'Ben', role: 'VIEWER', project: 'web-shop', projectRole: 'CONTRIBUTOR' } },
    ]);
  });

  it('refuses a role that is none, and a project role without a project', async () => {
    expect((await line.run(['invite', 'Ben', '--role', 'king'])).exitCode).toBe(2);
    expect((await line.run(['invite', 'Ben', '--project-role', 'reader'])).exitCode).toBe(2);
  });

  it('makes a code for another machine of the same person', async () => {
    line.service.state.answers['createLoginCode'] = () => ({ code: 'tmem_login_secret', expiresAt: AT });
    expect((await line.run(['login-code'])).out).toContain('tmem_login_secret');
  });
});

describe('tempera token and tempera sessions', () => {
  it('issue a token with its scopes and days, shown once', async () => {
    const token = { id: ID, name: 'ci', prefix: 'tmem_pat_x', scopes: ['READ'], createdAt: AT, expiresAt: AT };
    line.service.state.answers['issueToken'] = () => ({ secret: 'tmem_pat_secret', token });
    const { out } = await line.run(['token', 'create', 'ci', '--scope', 'read', '--days', '7']);
    expect(out.match(/tmem_pat_secret/g)).toHaveLength(1);
    expect(line.asked('issueToken')).toMatchObject([{ input: { name: 'ci', scopes: ['READ'], expiresInDays: 7 } }]);
    expect((await line.run(['token', 'create', 'ci', '--days', 'soon'])).exitCode).toBe(2);
  });

  it('take nothing away without a yes', async () => {
    for (const words of [
      ['token', 'revoke', ID],
      ['sessions', 'end', ID],
    ]) {
      expect(await line.run(words)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
      expect(await line.atTerminal(words, [''])).toMatchObject({ exitCode: 2 });
    }
    expect([...line.asked('revokeToken'), ...line.asked('endSession')]).toEqual([]);
    line.service.state.answers['revokeToken'] = () => ({ id: ID, name: 'ci', revokedAt: AT });
    expect((await line.run(['token', 'revoke', ID, '--yes'])).out).toContain('Revoked token ci.');
  });

  it('list logins page by page, up to the limit', async () => {
    const user = { id: ID, displayName: 'Ana' };
    const at = { createdAt: AT, lastUsedAt: AT, expiresAt: AT };
    line.service.state.answers['sessions'] = ({ first }) => ({
      nodes: Array.from({ length: Number(first) }, (_, index) => ({
        id: ID,
        client: `c${index}`,
        kind: 'LOGIN',
        current: false,
        user,
        ...at,
      })),
      pageInfo: { hasNextPage: true, endCursor: 'next' },
    });
    const { out } = await line.run(['sessions', 'list', '--limit', '150']);
    expect(line.asked('sessions').map(({ first }) => first)).toEqual([100, 50]);
    expect(out.trim().split('\n')).toHaveLength(152);
    expect(out).toContain('There are more: say --limit N.');
  });
});

describe('where the command is not on the path', () => {
  const invocation = { invocation: 'node /opt/tempera/cli.js' };

  it('every hint is the line that runs here', async () => {
    await line.run(['logout'], '', invocation);
    const refused = await line.run(['whoami'], '', invocation);
    expect(refused.err).toContain('Run `node /opt/tempera/cli.js login`');
    const json = await line.run(['whoami', '--json'], '', invocation);
    expect(json.out).toContain('`node /opt/tempera/cli.js login`');
    const loggedIn = await line.run(['login', '--server', line.service.url], 'bad', invocation);
    expect(loggedIn.err).toContain('`node /opt/tempera/cli.js login`');
    expect(loggedIn.err).not.toContain('`tempera ');
  });

  it('answers of the tools too, but never stored text', async () => {
    line.service.state.answers['retrieve'] = () => {
      throw refusal('UNAUTHENTICATED', 'No.');
    };
    line.service.state.answers['status'] = () => ({
      ...Object.fromEntries(
        [
          'memories',
          'ownMemories',
          'sharedMemories',
          'awaitingEmbedding',
          'retrievals',
          'helpfulVotes',
          'unhelpfulVotes',
          'feedbackRate',
          'highValue',
          'neverRetrieved',
          'meanUtility',
        ].map((field) => [field, 0]),
      ),
      advice: [],
    });
    const { out } = await line.run(['status'], '', invocation);
    expect(out).toContain('`node /opt/tempera/cli.js init`');
  });

  it('help says once what the name stands for', async () => {
    const { out } = await line.run(['token', 'create', '--help'], '', invocation);
    expect(out.match(/stands for: node \/opt\/tempera\/cli\.js/g)).toHaveLength(1);
    expect((await line.run(['token', '--help'])).out).not.toContain('stands for');
  });
});
