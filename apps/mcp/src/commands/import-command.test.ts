import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

interface Sent {
  readonly input: {
    readonly execute: boolean;
    readonly origin: string;
    readonly items: { readonly sourceId: string }[];
  };
}

let line: CommandLine;
const texts = Array.from({ length: 45 }, (_, n) => ({ text: `text ${n}`, timestamp: '2026-01-01T00:00:00Z' }));
/** Every tenth is refused, the rest is kept. */
const answer = ({ input }: Record<string, unknown>): object => {
  const { items } = input as Sent['input'];
  const told = items.map(({ sourceId }, index) => ({
    ...{ sourceId, memoryId: null, notes: [] },
    ...(index % 10 === 9
      ? { status: 'REFUSED', code: 'NOT_FOUND', message: 'No such project.' }
      : { status: 'KEPT', code: null, message: null }),
  }));
  return { items: told, kept: 0, merged: 0, known: 0, refused: 0 };
};
const sent = (): Sent[] => line.asked('importMemories') as unknown as Sent[];

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  line.service.state.answers['importMemories'] = answer;
  await writeFile(join(line.home.folder, 'texts.json'), JSON.stringify({ memories: texts }));
});
afterEach(() => line.close());

describe('tempera import', () => {
  it('is a dry run that sends everything in batches and tells what would be kept and refused, and why', async () => {
    const ran = await line.run(['import', 'texts.json']);
    expect(ran.exitCode).toBe(5);
    expect(ran.out).toMatch(/A dry run of evermemos: 41 kept, 0 merged, 0 known already, 4 refused, 0 left out\./);
    expect(ran.out).toContain('No such project.');
    expect(ran.out).toContain('say --execute');
    expect(sent().map(({ input }) => [input.execute, input.items.length])).toEqual([
      [false, 20],
      [false, 20],
      [false, 5],
    ]);
    expect(sent()[0]?.input.items[0]).toMatchObject({ memory: { text: 'text 0', scope: 'PRIVATE' } });
  });

  it('goes where the options say, and keeps what says nothing to oneself', async () => {
    line.service.state.answers['importMemories'] = ({ input }) => {
      const items = (input as Sent['input']).items.map(({ sourceId }) => ({
        ...{
          sourceId,
          status: 'KNOWN',
          memoryId: '11111111-0000-4000-8000-000000000001',
          code: null,
          message: null,
          notes: [],
        },
      }));
      return { items, kept: 0, merged: 0, known: items.length, refused: 0 };
    };
    const ran = await line.run(['import', 'texts.json', '--project', 'web-shop', '--execute', '--json']);
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ from: 'evermemos', execute: true, known: 45, refused: 0 });
    expect(sent()[0]?.input).toMatchObject({ execute: true, origin: 'evermemos' });
    expect(sent()[0]?.input.items[0]).toMatchObject({ memory: { scope: 'PROJECT', project: 'web-shop' } });
  });

  it.each([
    [['import', 'nowhere.json'], 4, /There is no/],
    [['import', 'texts.json', '--from', 'mem0'], 2, /texts\.json: .*Nothing was imported/],
    [['import', 'texts.json', '--from', 'x'], 2, /--from is one of/],
    [['import', 'texts.json', '--private', '--project', 'a'], 2, /not both/],
  ])('sends nothing of what cannot be read: %j', async (words, exitCode, told) => {
    const ran = await line.run(words);
    expect([ran.exitCode, ran.err]).toEqual([exitCode, expect.stringMatching(told)]);
    expect(sent()).toEqual([]);
  });
});
