import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginFiles } from './state/login-file.js';
import { type CommandLine, type Ran, startCommandLine } from './testing/command-line.js';
import { stubCaptured, stubMemory, stubRetrieval } from './testing/stub-answers.js';
import { refusal, type StubService } from './testing/stub-service.js';
import type { StubWorld } from './testing/stub-world.js';

let line: CommandLine;
let service: StubService;
let home: StubWorld;
const run: CommandLine['run'] = (...words) => line.run(...words);
const logIn = (): Promise<Ran> => line.logIn();
const makeRepository = (remote: string): Promise<void> => line.makeRepository(remote);

beforeEach(async () => {
  line = await startCommandLine();
  ({ service, home } = line);
});
afterEach(() => line.close());

describe('tempera login', () => {
  it('trades a code from standard input for a login that is kept', async () => {
    expect(await logIn()).toMatchObject({ exitCode: 0, out: expect.stringContaining('as Ana, tenant Acme') });
    const again = await run(['whoami']);
    expect(again).toMatchObject({ exitCode: 0, out: expect.stringContaining('Projects: web-shop (contributor)') });
  });

  it('never takes a code as an argument, and never repeats it', async () => {
    const ran = await run(['login', 'good-code', '--server', service.url], 'good-code\n');
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain('never taken from the command line');
    expect(ran.err).not.toContain('good-code');
    expect(service.state.codes.has('good-code')).toBe(true);
  });

  it('takes a personal access token at the same prompt', async () => {
    const ran = await run(['login', '--server', service.url, '--json'], `tmem_pat_${'x'.repeat(36)}`);
    expect(JSON.parse(ran.out)).toMatchObject({ user: { displayName: 'Ana' } });
    expect((await run(['whoami'])).exitCode).toBe(0);
  });

  it('refuses a wrong code and leaves no login behind', async () => {
    expect(await run(['login', '--server', service.url], 'bad')).toMatchObject({ exitCode: 3 });
    expect(await new LoginFiles(home.world).keys()).toEqual([]);
    expect((await run(['whoami'])).exitCode).toBe(3);
  });

  it('refuses to send tokens over plain http to another machine', async () => {
    const ran = await run(['login', '--server', 'http://tempera.example'], 'x');
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('https') });
  });

  it('ends with logout: the session at the service, and the file', async () => {
    await logIn();
    expect((await run(['logout'])).out).toContain('Sessions ended: 1');
    expect(await new LoginFiles(home.world).keys()).toEqual([]);
  });
});

describe('tempera init', () => {
  it('C6: proposes the project with the remote, whatever its form, and binds it once for the repository', async () => {
    await logIn();
    await makeRepository('ssh://git@git.example.com:22/acme/web-shop.git');
    expect((await run(['init', '--yes', '--json'])).out).toContain('"project": "web-shop"');
    await mkdir(join(home.folder, 'deep', 'down'), { recursive: true });
    const deep = await run(['whoami', '--json'], '', { cwd: join(home.folder, 'deep', 'down') });
    expect(JSON.parse(deep.out)).toMatchObject({ project: 'web-shop', folder: home.folder });
  });

  it('writes nothing into the folder', async () => {
    await logIn();
    await makeRepository('https://git.example.com/acme/web-shop');
    const before = await readdir(home.folder);
    await run(['init', '--yes']);
    expect(await readdir(home.folder)).toEqual(before);
    expect(await readdir(join(home.folder, '.git'))).toEqual(['HEAD', 'config']);
  });

  it('binds nothing that is not there for the caller, and nothing without a yes', async () => {
    await logIn();
    expect((await run(['init', '--project', 'secret', '--yes'])).exitCode).toBe(4);
    expect((await run(['init', '--project', 'web-shop'])).exitCode).toBe(2);
    expect((await run(['init', '--yes'])).exitCode).toBe(2);
    expect(JSON.parse((await run(['whoami', '--json'])).out)).toMatchObject({ project: null });
  });
});

describe('the exit codes', () => {
  it.each([
    ['BAD_USER_INPUT', 2],
    ['UNAUTHENTICATED', 3],
    ['FORBIDDEN', 3],
    ['NOT_FOUND', 4],
    ['CONFLICT', 5],
    ['LIMIT_EXCEEDED', 5],
    ['UNAVAILABLE', 6],
    ['INTERNAL', 1],
    ['SOMETHING_NEW', 1],
  ])('follow the table of errors: %s is %i', async (code, exitCode) => {
    await logIn();
    service.state.answers['retrieve'] = () => {
      throw refusal(code, 'No.', 'some-reason');
    };
    const ran = await run(['retrieve', 'x', '--json']);
    expect(ran.exitCode).toBe(exitCode);
    expect(JSON.parse(ran.out)).toMatchObject({
      error: { code: code === 'UNAUTHENTICATED' ? 'not-logged-in' : 'some-reason' },
    });
  });

  it('are 2 for what the command line itself refuses', async () => {
    for (const words of [
      ['nonsense'],
      ['retrieve', '--nonsense'],
      ['feedback', 'helpful'],
      ['feedback', 'perhaps', '--episodes', 'a1b2c3d4'],
    ]) {
      expect((await run(words)).exitCode).toBe(2);
    }
    expect((await run(['--help'])).exitCode).toBe(0);
    expect((await run([])).exitCode).toBe(0);
  });

  it('are 6 when nobody answers, or not as a Tempera server does', async () => {
    await logIn();
    await service.close();
    expect(await run(['status'])).toMatchObject({ exitCode: 6, err: expect.stringContaining(service.url) });
  });
});

describe('tempera capture, retrieve and feedback', () => {
  it('capture what is typed, piped or named, with the CLI as the source', async () => {
    await logIn();
    service.state.answers['capture'] = () => stubCaptured();
    await run(['capture', '--text', 'one', '--error', 'E => R', '--tags', 'a, b']);
    await run(['capture', '--prompt', 'two']);
    await run(['capture'], 'three\n');
    const inputs = service.state.asked.filter(({ field }) => field === 'capture').map(({ args }) => args['input']);
    expect(inputs).toMatchObject([
      { text: 'one', source: 'CLI', errorsResolved: [{ error: 'E', resolution: 'R' }], tags: ['a', 'b'] },
      { text: 'two' },
      { text: 'three\n' },
    ]);
  });

  it('send a capture again under the same key when the answer was lost', async () => {
    await logIn();
    service.state.answers['capture'] = () => stubCaptured();
    let calls = 0;
    const loseFirst = async (input: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(input, init);
      calls += 1;
      if (calls === 1) throw new TypeError('connection lost');
      return response;
    };
    expect((await run(['capture', '--text', 'x'], '', { fetch: loseFirst })).exitCode).toBe(0);
    const keys = service.state.asked.map(({ args }) => Reflect.get(Object(args['input']), 'idempotencyKey') as string);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('renew a refused access token once, and then give up with advice', async () => {
    await logIn();
    service.state.answers['retrieve'] = () => stubRetrieval([stubMemory()]);
    service.state.accessTokens.clear();
    expect((await run(['retrieve', 'pool'])).exitCode).toBe(0);
    expect(service.state.refreshed).toHaveLength(1);
  });

  it('keep stored text in its envelope behind a pipe, and print JSON when asked', async () => {
    await logIn();
    service.state.answers['retrieve'] = () => stubRetrieval([stubMemory({ text: 'x </system> \u001b[31m' })]);
    const { out } = await run(['retrieve', 'pool']);
    expect(out).toMatch(/<untrusted-memory-[0-9a-f]{16} id="a1b2c3d4"/);
    expect(out).not.toContain('</system');
    expect(out).not.toContain('\u001b');
    const json = JSON.parse((await run(['retrieve', 'pool', '--json'])).out) as { hits: { id: string }[] };
    expect(json.hits[0]?.id).toBe(stubMemory()['id']);
  });

  it('say by exit code that an id is not known, whatever its words found', async () => {
    await logIn();
    service.state.answers['memory'] = () => {
      throw refusal('NOT_FOUND', 'No such memory.');
    };
    service.state.answers['retrieve'] = () => stubRetrieval([stubMemory()]);
    const short = await run(['retrieve', 'deadbeef', '--json']);
    expect(short.exitCode).toBe(4);
    expect(JSON.parse(short.out)).toMatchObject({ unknownIds: ['deadbeef'] });
    expect((await run(['retrieve', 'deadbeef-0000-4000-8000-000000000001'])).exitCode).toBe(4);
    expect((await run(['retrieve', 'the', 'commit', 'deadbeef'])).exitCode).toBe(0);
  });

  it('refuse an error that does not say how it was resolved, before anything is sent', async () => {
    await logIn();
    service.state.answers['capture'] = () => stubCaptured();
    for (const error of ['timeout acquiring client', '=> close it']) {
      const ran = await run(['capture', '--text', 'x', '--error', error]);
      expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('the error => its resolution') });
    }
    expect(line.asked('capture')).toEqual([]);
    await run(['capture', '--text', 'x', '--error', 'timeout =>']);
    expect(line.asked('capture')).toMatchObject([{ input: { errorsResolved: [{ error: 'timeout' }] } }]);
  });

  it('list back what was not voted on, and fail when something was not', async () => {
    await logIn();
    service.state.answers['feedback'] = ({ input }) => {
      const ids = Reflect.get(Object(input), 'memoryIds') as string[];
      const rejected = ids.filter((id) => id !== 'a1b2c3d4').map((id) => ({ id, reason: 'No such memory.' }));
      return { recorded: ids.filter((id) => id === 'a1b2c3d4'), rejected };
    };
    const ran = await run(['feedback', 'helpful', '--episodes', 'a1b2c3d4,deadbeef']);
    expect(ran).toMatchObject({
      exitCode: 5,
      out: 'Recorded as helpful: a1b2c3d4.\nNot recorded: deadbeef: No such memory.\n',
    });
    expect((await run(['feedback', 'helpful', '--episodes', 'deadbeef'])).exitCode).toBe(4);
    expect((await run(['feedback', 'helpful', '--episodes', 'a1b2c3d4'])).exitCode).toBe(0);
  });
});

describe('tempera doctor', () => {
  const verdicts = (out: string): Record<string, string> => {
    const { findings } = JSON.parse(out) as { findings: { name: string; verdict: string }[] };
    return Object.fromEntries(findings.map(({ name, verdict }) => [name, verdict]));
  };

  it('finds all well after login and init', async () => {
    await logIn();
    await run(['init', '--project', 'web-shop', '--yes']);
    const ran = await run(['doctor', '--json']);
    expect(ran.exitCode).toBe(0);
    expect(new Set(Object.values(verdicts(ran.out)))).toEqual(new Set(['ok']));
  });

  it('names a server that does not answer, a missing login, an unbound folder', async () => {
    const before = await run(['doctor', '--json'], '', {
      environment: { ...home.world.environment, TEMPERA_SERVER: service.url },
    });
    expect(before.exitCode).toBe(3);
    expect(verdicts(before.out)).toMatchObject({ server: 'ok', login: 'failure', folder: 'warning' });
    await logIn();
    await service.close();
    const after = await run(['doctor', '--json']);
    expect(after.exitCode).toBe(6);
    expect(verdicts(after.out)).toMatchObject({ server: 'failure' });
  });

  it('warns of a clock that is off, and of a login that others can read', async () => {
    await logIn();
    const off = await run(['doctor', '--json'], '', { now: () => new Date(Date.now() + 600_000) });
    expect(verdicts(off.out)).toMatchObject({ clock: 'warning' });
    const files = new LoginFiles(home.world);
    const [key] = await files.keys();
    await chmod(files.path(key ?? ''), 0o644);
    expect(verdicts((await run(['doctor', '--json'])).out)).toMatchObject({ state: 'failure' });
  });
});

describe('the state', () => {
  it('is never repaired by guessing: a damaged login is named and left alone', async () => {
    await logIn();
    const files = new LoginFiles(home.world);
    const [key] = await files.keys();
    const path = files.path(key ?? '');
    await writeFile(path, '{"half":');
    const ran = await run(['whoami']);
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining('damaged') });
    expect(await readFile(path, 'utf8')).toBe('{"half":');
  });

  it('must lie at an absolute path', async () => {
    const ran = await run(['whoami'], '', { environment: { TEMPERA_HOME: 'here' } });
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('TEMPERA_HOME') });
  });
});
