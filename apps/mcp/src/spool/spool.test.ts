import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoginFiles } from '../state/login-file.js';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';
import { Sender } from './sender.js';
import { readSenderStates } from './sender-state.js';
import { MAX_SPOOL_BYTES, SpoolFolder } from './spool-folder.js';
import type { SpoolRecord } from './spool-record.js';

let line: CommandLine;
let spool: SpoolFolder;
let login: string;
let kept: string[];

interface Sent {
  readonly key: string;
  readonly prompt: string;
  readonly project: string | null;
}

const answerKeep = (refuse: (turn: Sent) => string | null = () => null): void => {
  line.service.state.answers['keepTurns'] = ({ input }) => {
    const { turns } = input as { turns: Sent[] };
    const refused = turns.flatMap((turn) => {
      const code = refuse(turn);
      return code === null ? [] : [{ key: turn.key, code, message: 'no' }];
    });
    const good = turns.filter((turn) => !refused.some(({ key }) => key === turn.key));
    kept.push(...good.map(({ prompt }) => prompt));
    return { kept: good.map(({ key }) => ({ key, isNew: true, conversationId: key, redactions: [] })), refused };
  };
};

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  spool = new SpoolFolder(line.home.world);
  login = (await new LoginFiles(line.home.world).current()) ?? '';
  kept = [];
  answerKeep();
});
afterEach(() => line.close());

const record = (word: string, over: object = {}): SpoolRecord => ({
  kind: 'turn',
  login,
  turn: {
    key: `key-${word}`,
    project: null,
    sessionKey: 's1',
    promptKey: word,
    at: '2026-12-01T00:00:00.000Z',
    prompt: word,
    answer: '',
    tools: [],
    branch: null,
    client: 'claude-code',
    ...over,
  },
});
const add = async (...words: readonly string[]): Promise<void> => {
  for (const word of words) await spool.add(record(word));
};
const send = (isAsked = false): Promise<void> => new Sender(line.home.world).run(isAsked);

describe('the spool', () => {
  it('delivers in order, each once, and is empty then', async () => {
    const words = Array.from({ length: 60 }, (_, at) => `t${at}`);
    await add(...words);
    await send();
    expect(kept).toEqual(words);
    expect(await spool.waiting()).toEqual([]);
  });

  it('has one sender however many wake at once', async () => {
    await add('a', 'b', 'c');
    await Promise.all(Array.from({ length: 5 }, () => send()));
    expect(kept).toEqual(['a', 'b', 'c']);
  });

  it('knows a record again, drops one that was torn, and keeps what a killed writer left from being read', async () => {
    await add('a', 'a');
    expect(await spool.waiting()).toHaveLength(1);
    const torn = `${'9'.repeat(15)}-${'0'.repeat(32)}.json`;
    await writeFile(join(spool.folder, torn), JSON.stringify(record('b')).slice(0, 40));
    await writeFile(join(spool.folder, `${torn}.0123.tmp`), '{');
    await send();
    expect(kept).toEqual(['a']);
    expect(await spool.setAsides()).toEqual([expect.objectContaining({ name: torn, code: 'torn' })]);
  });

  it('sets aside what is refused for ever, and delivers the others', async () => {
    answerKeep(({ prompt }) => (prompt === 'b' ? 'text-too-long' : null));
    await add('a', 'b', 'c');
    await send();
    expect(kept).toEqual(['a', 'c']);
    expect(await spool.setAsides()).toEqual([expect.objectContaining({ code: 'text-too-long' })]);
    expect(await spool.waiting()).toEqual([]);
  });

  it('keeps a turn without its project where that is gone', async () => {
    answerKeep(({ project }) => (project === null ? null : 'NOT_FOUND'));
    await spool.add(record('a', { project: 'gone' }));
    await send();
    expect(kept).toEqual(['a']);
  });

  it('finds the one that the service cannot even read among those that go with it', async () => {
    await add('a');
    await spool.add(record('b', { at: 'yesterday' }));
    await add('c');
    const keep = line.service.state.answers['keepTurns'];
    line.service.state.answers['keepTurns'] = (args) => {
      if (JSON.stringify(args).includes('yesterday')) throw refusal('BAD_USER_INPUT', 'at is no date.');
      return keep?.(args);
    };
    await send();
    expect(kept).toEqual(['a', 'c']);
    expect(await spool.setAsides()).toHaveLength(1);
  });

  it('waits out a service that is away, longer each time, and delivers after a day', async () => {
    const away = (): never => {
      throw refusal('UNAVAILABLE', 'Busy.');
    };
    line.service.state.answers['keepTurns'] = away;
    await add('a', 'b');
    await send();
    const asked = line.asked('keepTurns').length;
    expect(asked).toBe(4);
    expect((await readSenderStates(spool.folder)).get(login)).toMatchObject({ failures: 4 });
    await send();
    expect(line.asked('keepTurns')).toHaveLength(asked);
    for (let hour = 0; hour < 24; hour += 1) {
      line.home.aheadMs += 3_600_000;
      await send();
    }
    answerKeep();
    line.home.aheadMs += 3_600_000;
    await send();
    expect(kept).toEqual(['a', 'b']);
    expect((await readSenderStates(spool.folder)).size).toBe(0);
  });

  it('delivers what a sender had sent when it was killed, under the same key', async () => {
    await add('a');
    const keys: string[] = [];
    line.service.state.answers['keepTurns'] = ({ input }) => {
      keys.push(...(input as { turns: Sent[] }).turns.map(({ key }) => key));
      throw refusal('UNAVAILABLE', 'The answer was lost.');
    };
    await send(true);
    await writeFile(join(spool.folder, 'sender.lock'), '999999 dead');
    answerKeep();
    await new Sender({ ...line.home.world, isAlive: () => false }).run(true);
    expect([kept, keys]).toEqual([['a'], ['key-a']]);
  });

  it('holds for one login that ended, and goes on for the others', async () => {
    await add('a');
    await spool.add({ ...record('b'), login: '0123456789abcdef' });
    await add('c');
    await send();
    expect(kept).toEqual(['a', 'c']);
    expect(await spool.waiting()).toHaveLength(1);
    expect((await readSenderStates(spool.folder)).get('0123456789abcdef')).toMatchObject({ code: 'not-logged-in' });
  });

  it('holds for one login whose server is away or has no room, pauses it alone, and keeps its order', async () => {
    const files = new LoginFiles(line.home.world);
    const own = await files.read(login);
    if (own === null) throw new Error('no login');
    const dead = 'fedcba9876543210';
    await files.write(dead, { ...own, server: 'http://127.0.0.1:1' });
    await spool.add({ ...record('b1'), login: dead });
    await spool.add({ ...record('b2'), login: dead });
    await add('a', 'c');
    await send();
    expect(kept).toEqual(['a', 'c']);
    expect([...(await readSenderStates(spool.folder)).keys()]).toEqual([dead]);
    await add('d');
    await send();
    expect(kept).toEqual(['a', 'c', 'd']);
    await files.write(dead, own);
    await send(true);
    expect(kept).toEqual(['a', 'c', 'd', 'b1', 'b2']);
    expect((await readSenderStates(spool.folder)).size).toBe(0);
  });

  it('tries again what the service failed at by its own fault, sets it aside after a while, and puts it back', async () => {
    answerKeep(({ prompt }) => (prompt === 'b' ? 'INTERNAL' : null));
    await add('a', 'b', 'c');
    await send();
    expect([kept, await spool.setAsides()]).toEqual([['a', 'c'], []]);
    for (let hour = 0; hour < 4; hour += 1) {
      line.home.aheadMs += 3_600_000;
      await send();
    }
    expect(await spool.setAsides()).toEqual([expect.objectContaining({ code: 'INTERNAL' })]);
    expect(await spool.waiting()).toEqual([]);
    answerKeep();
    expect((await line.run(['spool', 'retry-aside'])).out).toContain('1 that were set aside wait again');
    await send(true);
    expect(kept).toEqual(['a', 'c', 'b']);
  });

  it('lets no capture that the service cannot take hold up its login for ever', async () => {
    line.service.state.answers['capture'] = () => {
      throw refusal('INTERNAL', 'A fault.');
    };
    await spool.add({ kind: 'capture', login, capture: { idempotencyKey: 'k1', text: 'x' } });
    await add('a');
    for (let hour = 0; hour < 4; hour += 1) {
      await send();
      line.home.aheadMs += 3_600_000;
    }
    expect([kept, (await spool.setAsides()).length]).toEqual([['a'], 1]);
  });

  it('has room for each login, whatever waits for another, and for 5,000 of one', async () => {
    await add('a');
    const nameAt = (at: number, whose: string): string =>
      join(spool.folder, `${'0'.repeat(15)}-${at.toString(16).padStart(32, '0')}-${whose}-2.json`);
    for (let at = 0; at < 5_000; at += 1) await writeFile(nameAt(at, '0123456789abcdef'), '{}');
    expect(await spool.add({ ...record('b'), login: '0123456789abcdef' })).toBe('full');
    expect(await spool.add(record('b'))).toBe('added');
  });

  it('tells at logout how many of the login wait', async () => {
    await add('a', 'b');
    expect((await line.run(['logout'])).out).toContain('2 of this login wait to be delivered');
    expect(await spool.waiting()).toHaveLength(2);
  });

  it('refuses what would make it larger than it may be, and counts it', async () => {
    const large = `${'0'.repeat(15)}-${'0'.repeat(32)}.json`;
    await add('a');
    await writeFile(join(spool.folder, large), Buffer.alloc(MAX_SPOOL_BYTES));
    expect(await spool.add(record('b'))).toBe('full');
    expect(await spool.lost()).toBe(1);
    await rm(join(spool.folder, large));
    expect(await spool.add(record('b'))).toBe('added');
  });

  it('leaves nothing half-written where the disk takes no more', async () => {
    await add('a');
    const noSpace = { ...line.home.world, randomHex: () => '../none/x' };
    await expect(new SpoolFolder(noSpace).add(record('b'))).rejects.toThrowError(/cannot be written/);
    expect(await spool.waiting()).toHaveLength(1);
    expect(await spool.lost()).toBe(1);
  });
});
