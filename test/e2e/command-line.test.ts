import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorCode } from '../../prisma/operator-code.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { makeDesk, runCli, type Desk } from '../support/developer.js';
import { projectRoot } from '../support/programs.js';

describe('a tenant is run from the command line alone', () => {
  let folder: string;
  let api: TestApi;
  let operator: Desk;
  let olga: Desk;
  let ben: Desk;
  const id: Record<'tenant' | 'ben', string> = { tenant: '', ben: '' };
  let invitation = '';

  const json = async (desk: Desk, words: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await runCli([...words, '--json'], desk, {})) as Record<string, unknown>;
  const nodes = async (desk: Desk, words: readonly string[]): Promise<Record<string, unknown>[]> =>
    (await json(desk, words))['nodes'] as Record<string, unknown>[];
  const logIn = (desk: Desk, code: string): Promise<string> =>
    runCli(['login', '--server', api.url], desk, { input: `${code}\n` });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tempera-command-line-'));
    api = await startTestApi();
    operator = await makeDesk(folder, 'operator');
    olga = await makeDesk(folder, 'olga');
    ben = await makeDesk(folder, 'ben');
    await mkdir(join(olga.cwd, '.git'));
    await writeFile(join(olga.cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(
      join(olga.cwd, '.git', 'config'),
      '[remote "origin"]\n\turl = git@git.example.com:acme/Web-Shop.git\n',
    );
  }, 120_000);

  afterAll(async () => {
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('hints are lines that run: by name only where the name on the path leads to this very program', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const refusal = (path: string): Promise<string> =>
      runCli(
        ['whoami', '--json'],
        { ...ben, env: { ...ben.env, PATH: `${path}:${ben.env['PATH'] ?? ''}` } },
        { exitCode: 3 },
      );
    expect(await refusal(join(folder, 'nowhere'))).toMatch(/`node \S+cli\.js login`/);
    await writeFile(join(bin, 'tempera'), 'another program', { mode: 0o755 });
    expect(await refusal(bin)).toMatch(/`node \S+cli\.js login`/);
    await rm(join(bin, 'tempera'));
    await symlink(join(projectRoot, 'apps/mcp/bin/tempera'), join(bin, 'tempera'));
    expect(await refusal(bin)).toContain('`tempera login`');
  });

  it('an operator logs in, makes a tenant and sees how the instance is doing', async () => {
    const code = await createOperatorCode(api.database.urls.migrator, 'Otto');
    await runCli(['admin', 'login', '--server', api.url], operator, { input: `${code}\n` });
    const created = await json(operator, ['admin', 'tenants', 'create', 'Acme', '--owner', 'Olga Owner']);
    id.tenant = String(Reflect.get(Object(created['tenant']), 'id'));
    await logIn(olga, String(Reflect.get(Object(created['ownerInvitation']), 'code')));
    expect(await runCli(['admin', 'tenants', 'list'], operator, {})).toContain('Acme');
    expect(await json(operator, ['admin', 'instance', 'health'])).toMatchObject({ tenants: { active: 1 } });
    expect(await nodes(operator, ['admin', 'log', 'list'])).not.toEqual([]);
    expect(await runCli(['admin', 'log', 'verify'], operator, {})).toMatch(/^Intact: \d+ rows checked/);
  });

  it('the owner makes the project of a repository by init, and invites a person into it', async () => {
    expect(await json(olga, ['init', '--yes'])).toMatchObject({ project: 'web-shop' });
    expect(await nodes(olga, ['project', 'list'])).toMatchObject([{ remotes: ['git.example.com/acme/Web-Shop'] }]);
    await runCli(['project', 'create', 'web-shop'], olga, { exitCode: 5 });
    const invited = await runCli(['invite', 'Ben', '--project', 'web-shop'], olga, {});
    expect(invited).toContain(`tempera login --server ${api.url}`);
    invitation = /^ {2}(tmem_\S+)$/m.exec(invited)?.[1] ?? '';
  });

  it('the invited person logs in, works in the project, and administers nothing', async () => {
    await logIn(ben, invitation);
    expect(await json(ben, ['init', '--project', 'web-shop', '--yes'])).toMatchObject({ project: 'web-shop' });
    await runCli(['capture', '--text', 'Reports read from the replica.', '--kind', 'decision'], ben, {});
    await runCli(['invite', 'Mallory'], ben, { exitCode: 3 });
    await runCli(['admin', 'tenants', 'list'], ben, { exitCode: 3 });
    await runCli(['admin', 'users', 'role', id.tenant, 'admin'], ben, { exitCode: 3 });
    await runCli(['retrieve', '00000000-0000-4000-8000-000000000001'], ben, { exitCode: 4 });
  });

  it('what a contributor shares where the project reviews waits for a maintainer, who reads it and decides', async () => {
    await runCli(['admin', 'projects', 'update', 'web-shop', '--review', 'on'], olga, {});
    const memory = String(
      (await json(ben, ['capture', '--text', 'The replica lags a minute behind.', '--scope', 'private']))['id'],
    );
    await runCli(['retrieve', memory], olga, { exitCode: 4 });
    const shared = await json(ben, ['share', memory, '--project', 'web-shop']);
    expect(await runCli(['proposals'], olga, {})).toContain('| The replica lags a minute behind.');
    const proposal = String(Reflect.get(Object(shared['proposal']), 'id'));
    await runCli(['proposals', 'approve', proposal, '--yes'], ben, { exitCode: 3 });
    await runCli(['proposals', 'approve', proposal, '--yes'], olga, {});
    await runCli(['retrieve', memory], olga, {});
    expect(await runCli(['unshare', memory, '--yes'], ben, {})).toContain('its owner alone');
    await runCli(['retrieve', memory], olga, { exitCode: 4 });
    expect(await json(olga, ['admin', 'groups', 'create', 'shops', '--projects', 'web-shop'])).toMatchObject({
      projects: [{ slug: 'web-shop' }],
    });
  });

  it('the admin lists people, changes a role, and makes and takes back a token', async () => {
    const people = await nodes(olga, ['admin', 'users', 'list']);
    expect(people.map(({ displayName }) => displayName)).toEqual(['Ben', 'Olga Owner']);
    id.ben = String(people[0]?.['id']);
    expect(await nodes(olga, ['admin', 'members', 'list', 'web-shop'])).toHaveLength(2);
    expect(await json(olga, ['admin', 'users', 'role', id.ben, 'viewer'])).toMatchObject({ role: 'VIEWER' });
    const issued = await json(olga, ['token', 'create', 'nightly', '--scope', 'read', '--days', '7']);
    const token = String(Reflect.get(Object(issued['token']), 'id'));
    expect(await runCli(['token', 'list'], olga, {})).toContain('nightly');
    await runCli(['token', 'revoke', token], olga, { exitCode: 2 });
    await runCli(['token', 'revoke', token, '--yes'], olga, {});
  });

  it('the admin sets the hour of the night, asks for a run, and ends the session of a person', async () => {
    expect(await runCli(['admin', 'schedule', 'set', '--at', '04:15'], olga, {})).toContain('nightly at 04:15 UTC, on');
    expect(await json(olga, ['admin', 'runs', 'start'])).toMatchObject({ status: 'REQUESTED' });
    const [session] = await nodes(olga, ['sessions', 'list', '--user', id.ben]);
    await runCli(['sessions', 'end', String(session?.['id']), '--yes'], olga, {});
    await runCli(['admin', 'users', 'suspend', id.ben, '--yes'], olga, {});
    expect(await runCli(['whoami'], ben, { exitCode: 3 })).toBe('');
  });

  it('the admin sets a setting and a rule, for the tenant and for a project', async () => {
    const key = 'retrieval.max_recall_items';
    expect(await json(olga, ['admin', 'settings', 'set', key, '8'])).toMatchObject({ value: '8', tenantValue: '8' });
    await runCli(['admin', 'settings', 'set', key, '9', '--project', 'web-shop'], olga, {});
    await runCli(['admin', 'settings', 'set', key, '500'], olga, { exitCode: 2 });
    const inProject = await nodes(olga, ['admin', 'settings', 'list', '--project', 'web-shop']);
    expect(inProject.find((setting) => setting['key'] === key)).toMatchObject({ value: '9', tenantValue: '8' });
    expect(await runCli(['admin', 'settings', 'reset', key, '--yes'], olga, {})).toContain('is 5 (by the default)');
    const words = ['admin', 'rules', 'create', 'Decisions first', '--effect', 'first', '--kinds', 'decision'];
    const rule = await json(olga, [...words, '--level', 'tenant']);
    expect(await runCli(['admin', 'rules', 'list'], olga, {})).toContain('Decisions first');
    await runCli(['admin', 'rules', 'delete', String(rule['id']), '--yes'], olga, {});
  });

  it('the admin reads the audit, exports it, and works its chain out; a changed file shows', async () => {
    const done = (await nodes(olga, ['admin', 'audit', 'list'])).map(({ action }) => action);
    for (const action of ['project.created', 'user.invited', 'user.suspended']) expect(done).toContain(action);
    const verified = await json(olga, ['admin', 'audit', 'verify']);
    expect(verified).toMatchObject({ intact: true });
    expect(await json(olga, ['admin', 'audit', 'export', 'audit.jsonl'])).toEqual({ ...verified, endCursor: null });
    const file = join(olga.cwd, 'audit.jsonl');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await runCli(['admin', 'audit', 'export', 'audit.jsonl'], olga, { exitCode: 5 });
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(Number(verified['checked']));
    const head = `${String(verified['headSeq'])}:${String(verified['headHash'])}`;
    const check = (exitCode: number): Promise<string> =>
      runCli(['admin', 'audit', 'verify', 'audit.jsonl', '--head', head], ben, { exitCode });
    await writeFile(join(ben.cwd, 'audit.jsonl'), lines.join('\n'));
    expect(await check(0)).toContain('Intact');
    await writeFile(join(ben.cwd, 'audit.jsonl'), lines.join('\n').replace('user.invited', 'user.removed'));
    await check(5);
    await writeFile(join(ben.cwd, 'audit.jsonl'), lines.slice(0, -1).join('\n'));
    await check(5);
    await runCli(['admin', 'audit', 'list'], ben, { exitCode: 3 });
  });

  it('the admin sees what is kept, the operator sets how much may be', async () => {
    await runCli(['admin', 'quotas', 'set', id.tenant, '--memories', '100'], operator, {});
    expect(await runCli(['usage'], olga, {})).toMatch(/memories +2 of 100\n/);
    expect(await json(olga, ['stats'])).toMatchObject({
      project: 'web-shop',
      memories: 1,
      asked: 0,
      helpfulShare: null,
    });
    expect(await runCli(['trends', '--bucket', 'monthly'], olga, {})).toMatch(
      /\nmonth +captured, 0\.\.1 [^]*\n\d{4}-\d\d +1 #{10} /,
    );
    await runCli(['trends', '--since', '1900-01-01'], olga, { exitCode: 2 });
    expect(await json(operator, ['admin', 'quotas', 'show', id.tenant])).toMatchObject({ usage: { memories: 2 } });
  });

  it('a tenant that is suspended keeps its people out, until it is resumed', async () => {
    await runCli(['admin', 'tenants', 'suspend', id.tenant, '--yes'], operator, {});
    await runCli(['admin', 'tenants', 'delete', id.tenant, 'Another', '--yes'], operator, { exitCode: 2 });
    await runCli(['admin', 'tenants', 'resume', id.tenant], operator, {});
    expect(await runCli(['whoami'], olga, {})).toContain('Olga Owner');
  });
});
