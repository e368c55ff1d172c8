import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorFile } from '../../state/operator-login.js';
import { type CommandLine, startCommandLine } from '../../testing/command-line.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
});
afterEach(() => line.close());

const TENANT = {
  id: '44444444-0000-4000-8000-000000000004',
  name: 'Acme',
  status: 'ACTIVE',
  timeZone: 'UTC',
  users: 1,
  projects: 1,
  memories: 3,
  eraseAfter: null,
  createdAt: '2026-11-30T09:30:00.000Z',
};

describe('tempera admin login', () => {
  const login = (): ReturnType<CommandLine['run']> =>
    line.run(['admin', 'login', '--server', line.service.url], 'good-code\n');

  it('keeps the short-lived token in a file for its user alone, and forgets it by logout', async () => {
    line.service.state.answers['tenants'] = () => ({
      nodes: [TENANT],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    expect((await login()).out).toContain('as operator, until');
    expect((await stat(operatorFile(line.home.world))).mode & 0o777).toBe(0o600);
    expect((await line.run(['admin', 'tenants', 'list'])).out).toMatch(/\n\S+ +Acme +active +1 +1 +3 +UTC/);
    await line.run(['admin', 'logout']);
    expect((await line.run(['admin', 'tenants', 'list'])).exitCode).toBe(3);
  });

  it('with a wrong code says where an operator gets one, not how a person logs in', async () => {
    const { exitCode, err } = await line.run(['admin', 'login', '--server', line.service.url], 'wrong\n');
    expect(exitCode).toBe(3);
    for (const way of [
      '`tempera admin operators code NAME`',
      '`npm run operator-code`',
      'run `tempera admin login` again',
    ])
      expect(err).toContain(way);
  });

  it('never lends the token of a person, nor gives that of an operator to a person', async () => {
    await line.logIn();
    expect(await line.run(['admin', 'tenants', 'list'])).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('tempera admin login'),
    });
    await line.run(['logout']);
    line.service.state.codes.add('good-code');
    await login();
    expect((await line.run(['admin', 'users', 'list'])).exitCode).toBe(3);
  });

  it('says when the token has ended, without asking the service', async () => {
    await login();
    const later = { now: () => new Date(Date.now() + 3_600_000) };
    expect(await line.run(['admin', 'instance', 'health'], '', later)).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('has ended'),
    });
  });
});
