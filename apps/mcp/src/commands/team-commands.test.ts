import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';
import { PROJECT_ROLES, TENANT_ROLES } from './command.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const AT = '2026-12-07T09:30:00.000Z';
const ID = '44444444-0000-4000-8000-000000000004';

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

  it('says what the person becomes, and its help names every role it takes', async () => {
    line.service.state.answers['inviteUser'] = () => ({ id: ID, code: 'tmem_x', link: '', expiresAt: AT });
    expect((await line.run(['invite', 'Ben', '--role', 'owner'])).out).toContain('Invited Ben as owner of the tenant.');
    expect((await line.run(['invite', 'Ben', '--project', 'web-shop', '--project-role', 'reader'])).out).toContain(
      'Invited Ben as member of the tenant, reader of project web-shop.',
    );
    const { out } = await line.run(['invite', '--help']);
    for (const role of [...TENANT_ROLES, ...PROJECT_ROLES]) expect(out).toContain(role);
  });

  it('into a project that is not there says which there are, and how one is made', async () => {
    line.service.state.answers['inviteUser'] = () => {
      throw refusal('NOT_FOUND', 'No such project.', 'no-such-project');
    };
    const ran = await line.run(['invite', 'Ben', '--project', 'webshop']);
    expect(ran).toMatchObject({ exitCode: 4, err: expect.stringContaining('Yours are: web-shop.') });
    expect(ran.err).toContain('`tempera project create SLUG`');
  });

  it('refused to who may not, claims nothing about who could', async () => {
    line.service.state.answers['inviteUser'] = () => {
      throw refusal('FORBIDDEN', 'Only an owner invites an owner.', 'role');
    };
    const { err } = await line.run(['invite', 'Ben', '--role', 'owner']);
    expect(err.trim()).toBe('error: Only an owner invites an owner. Nothing was changed.');
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

  it('take eight characters of an id, where exactly one begins so', async () => {
    const other = ID.replace('44444444', '45454545');
    const twins = [ID.replace('44444444', 'abcdabcd'), ID.replace('44444444', 'abcdabcd').replace('4000', '4111')];
    const ids = [ID, other, ...twins].map((id) => ({ id }));
    const page = { nodes: ids, pageInfo: { hasNextPage: false, endCursor: null } };
    for (const field of ['tokens', 'sessions']) line.service.state.answers[field] = () => page;
    line.service.state.answers['revokeToken'] = () => ({ id: other, name: 'ci', revokedAt: AT });
    line.service.state.answers['endSession'] = () => ({ id: other, client: 'laptop', endedAt: AT });
    for (const [noun, verb, field] of [
      ['token', 'revoke', 'revokeToken'],
      ['sessions', 'end', 'endSession'],
    ] as const) {
      expect((await line.run([noun, verb, '45454545', '--yes'])).exitCode).toBe(0);
      expect(line.asked(field)).toEqual([{ id: other }]);
      expect((await line.run([noun, verb, 'deadbeef', '--yes'])).exitCode).toBe(4);
      expect(await line.run([noun, verb, 'ABCDABCD', '--yes'])).toMatchObject({
        exitCode: 5,
        err: expect.stringContaining(twins[1] ?? ''),
      });
      expect(await line.run([noun, verb, 'laptop', '--yes'])).toMatchObject({ exitCode: 2 });
      expect(line.asked(field)).toHaveLength(1);
    }
  });

  it('a list that would cost too much names the option that mends it', async () => {
    line.service.state.answers['tokens'] = () => {
      throw refusal('BAD_USER_INPUT', 'The request may cost 9000 points.', 'query-cost');
    };
    expect((await line.run(['token', 'list', '--limit', '500'])).err).toContain('Ask for fewer with --limit.');
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
    expect(loggedIn.err).toContain('`node /opt/tempera/cli.js login --server ');
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
          'neverRetrievedShare',
          'stale',
          'conflicts',
          'proposals',
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
