import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { stubCaptured } from '../testing/stub-answers.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const away = { fetch: () => Promise.reject(new TypeError('no route')) };

describe('a capture that meets no service', () => {
  it('is queued under its key, told by status and spool, and delivered once by flush', async () => {
    const capture = ['capture', '--text', 'The pool has 20 places, token ghp_0123456789abcdefABCDEF0123456789abcd'];
    const queued = await line.run(capture, '', away);
    expect(queued).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Queued: the service cannot be reached'),
    });
    const status = await line.run(['status'], '', away);
    expect(status).toMatchObject({ exitCode: 6, out: expect.stringContaining('1 wait to be delivered') });
    expect(JSON.parse((await line.run(['spool', 'list', '--json'])).out)).toMatchObject({ waiting: 1, setAside: 0 });
    line.service.state.answers['capture'] = () => stubCaptured();
    expect((await line.run(['spool', 'flush'])).out).toContain('Nothing waits');
    await line.run(['spool', 'flush']);
    const [only, ...others] = line.asked('capture');
    expect(others).toEqual([]);
    expect(JSON.stringify(only)).not.toContain('ghp_');
    expect(only).toMatchObject({ input: { idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  it('that the service refuses is refused, and not queued', async () => {
    const ran = await line.run(['capture', '--text', '   ']);
    expect(ran.exitCode).toBe(2);
    expect(JSON.parse((await line.run(['spool', 'list', '--json'])).out)).toMatchObject({ waiting: 0 });
  });

  it('drops what was set aside only after a yes', async () => {
    expect((await line.run(['spool', 'drop-aside'])).out).toContain('Forgot 0');
  });
});
