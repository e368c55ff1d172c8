import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import initSqlJs from 'sql.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseFormat } from './choose-format.js';
import { openInput } from './import-input.js';
import type { ImportItem, ParsedImport } from './import-item.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tempera-formats-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
};

/** What an input is taken for, and what is read of it. */
const read = async (name: string, from: string | null = null): Promise<ParsedImport & { readonly format: string }> => {
  const input = await openInput(join(folder, name));
  const format = await chooseFormat(input, from);
  return { format: format.name, ...(await format.parse(input)) };
};
const ids = (items: readonly ImportItem[]): string[] => items.map(({ sourceId }) => sourceId);

const episode = {
  ...{ id: 'e1', timestamp_start: '2026-01-02T08:00:00Z', timestamp_end: '2026-01-02T09:00:00Z', project: 'shop' },
  intent: { raw_prompt: 'Fix the cart', extracted_intent: 'Fix the cart', task_type: 'bugfix', domain: ['cart'] },
  context: {
    ...{ files_read: [], files_modified: ['cart.ts'], tools_invoked: [] },
    errors_encountered: [
      { error_type: 'runtime', message: 'cart is undefined', resolved: true, resolution: 'a guard' },
    ],
  },
  outcome: { status: 'success' },
  ...{ utility: { score: null, retrieval_count: 3, helpful_count: 1 }, session_id: 's1' },
};
const graph = [
  { type: 'entity', name: 'Ana', entityType: 'person', observations: ['likes tests', 'lives in Graz'] },
  { type: 'relation', from: 'Ana', to: 'Shop', relationType: 'works on' },
  { type: 'relation', from: 'Nobody', to: 'Ana', relationType: 'knows' },
];
const jsonLines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const database = async (): Promise<Uint8Array> => {
  const { Database } = await initSqlJs();
  const made = new Database();
  made.run(`create table observations (id integer primary key, memory_session_id text, project text, type text, title text,
    subtitle text, facts text, narrative text, concepts text, files_modified text, created_at_epoch integer)`);
  made.run(`create table session_summaries (id integer primary key, memory_session_id text, project text, request text,
    learned text, created_at_epoch integer)`);
  made.run('insert into observations values (7, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    ...[
      's1',
      'shop',
      'bugfix',
      'Carts',
      'Empty carts',
      '["a guard helps"]',
      'The job failed.',
      '["cart"]',
      '["cart.ts"]',
    ],
    1_767_225_600_000,
  ]);
  made.run(`insert into session_summaries values (1, 's1', 'shop', 'Fix carts', 'Guards help', 1767225600000)`);
  const bytes = made.export();
  // As claude-mem leaves it: the header asks for a write-ahead log.
  bytes.fill(2, 18, 20);
  return bytes;
};

describe('memories of other products', () => {
  it('are told by what the input looks like: files of one text, lists, graphs, databases, notes', async () => {
    await write({
      'seed/episodes/2026-01-02/session-e1.json': JSON.stringify(episode),
      'one.json': JSON.stringify(episode),
      'memory.jsonl': jsonLines(graph),
      'mem0.json': JSON.stringify({
        results: [{ id: 'm1', memory: 'Likes tea', categories: ['preferences'], created_at: '2026-01-01T00:00:00Z' }],
      }),
      'service.json': JSON.stringify({
        memories: [
          { content: 'Uses WAL', content_hash: 'h1', tags: ['db'], created_at: 1767225600, memory_type: 'decision' },
        ],
      }),
      'ever.json': JSON.stringify({ memories: [{ text: 'We chose JWT.', timestamp: '2026-01-15T08:30:00Z' }] }),
      'basic/notes/coffee.md':
        '---\ntitle: Coffee\ntags: [brewing, hot]\npermalink: notes/coffee\ncreated: 2026-01-01\n---\n# Coffee\n- [method] slow #brewing\n',
      'claude/MEMORY.md': '# Index\n- [Testing](testing.md) — how\nAlways use bun.\n',
      'claude/testing.md':
        '---\nname: testing\ndescription: how\nmetadata:\n  type: feedback\n---\nNo mocks of the database.\n',
      '.serena/memories/structure.md': '# Structure\nCode is in src.\n',
    });
    const seed = await read('seed');
    expect(seed).toMatchObject({ format: 'tempera-seed', skipped: [] });
    expect(seed.items).toEqual([
      {
        sourceId: 'e1',
        memory: {
          ...{ text: 'Fix the cart', kind: 'EPISODE', tags: ['cart'], taskType: 'BUGFIX', outcome: 'SUCCESS' },
          ...{ filesModified: ['cart.ts'], errorsResolved: [{ error: 'cart is undefined', resolution: 'a guard' }] },
          ...{ startedAt: '2026-01-02T08:00:00.000Z', occurredAt: '2026-01-02T09:00:00.000Z', sessionKey: 's1' },
        },
      },
    ]);
    expect(await read('one.json')).toMatchObject({ format: 'tempera-seed', items: [{ sourceId: 'e1' }] });
    expect(await read('memory.jsonl')).toMatchObject({
      format: 'mcp-memory',
      items: [
        { sourceId: 'entity:Ana', memory: { text: 'Ana (person)\n- likes tests\n- lives in Graz\n- works on: Shop' } },
      ],
      skipped: [{ sourceId: 'Nobody knows Ana' }],
    });
    expect(await read('mem0.json')).toMatchObject({
      format: 'mem0',
      items: [
        { sourceId: 'm1', memory: { text: 'Likes tea', kind: 'PREFERENCE', occurredAt: '2026-01-01T00:00:00.000Z' } },
      ],
    });
    expect(await read('service.json')).toMatchObject({
      format: 'mcp-memory-service',
      items: [
        {
          sourceId: 'h1',
          memory: { kind: 'DECISION', tags: ['db', 'decision'], occurredAt: '2026-01-01T00:00:00.000Z' },
        },
      ],
    });
    expect(await read('ever.json')).toMatchObject({
      format: 'evermemos',
      items: [{ memory: { text: 'We chose JWT.' } }],
    });
    expect(await read('basic')).toMatchObject({
      format: 'basic-memory',
      items: [
        {
          sourceId: 'notes/coffee',
          memory: { title: 'Coffee', tags: ['brewing', 'hot'], occurredAt: '2026-01-01T00:00:00.000Z' },
        },
      ],
    });
    const claude = await read('claude');
    expect(claude.format).toBe('claude-memory');
    expect(claude.items.map(({ sourceId, memory }) => [sourceId, memory.kind, memory.text])).toEqual([
      ['MEMORY.md', 'BACKGROUND', '# Index\nAlways use bun.'],
      ['testing.md', 'CORRECTION', 'No mocks of the database.'],
    ]);
    expect(await read('.serena/memories')).toMatchObject({
      format: 'serena',
      items: [{ sourceId: 'structure.md', memory: { title: 'Structure' } }],
    });
  });

  it('are read from the database of claude-mem as it is left, and not while it is in use', async () => {
    await write({ 'claude-mem.db': await database() });
    const { format, items } = await read('claude-mem.db');
    expect(format).toBe('claude-mem');
    expect(items).toMatchObject([
      {
        sourceId: 'observation:7',
        memory: {
          text: 'Carts\n\nEmpty carts\n\nThe job failed.\n\n- a guard helps',
          ...{
            title: 'Carts',
            kind: 'EPISODE',
            taskType: 'BUGFIX',
            tags: ['cart', 'shop'],
            filesModified: ['cart.ts'],
          },
          ...{ occurredAt: '2026-01-01T00:00:00.000Z', sessionKey: 's1' },
        },
      },
      { sourceId: 'summary:1', memory: { text: 'Asked: Fix carts\nLearned: Guards help' } },
    ]);
    await write({ 'claude-mem.db-wal': 'something' });
    await expect(read('claude-mem.db')).rejects.toThrow(/in use/);
    const bytes = await database();
    await write({ 'other.db': bytes.slice(0, 100) });
    await expect(read('other.db')).rejects.toMatchObject({ kind: 'invalid-input' });
  });

  it('are named the same each time, also where the product gives no names', async () => {
    await write({ 'ever.json': JSON.stringify({ memories: [{ text: 'One' }, { text: 'Two' }, { text: ' ' }] }) });
    const [first, second] = [await read('ever.json'), await read('ever.json')];
    expect(ids(first.items)).toEqual(ids(second.items));
    expect(new Set(ids(first.items)).size).toBe(2);
    expect(first.skipped).toEqual([{ sourceId: 'number 3', reason: 'It says nothing.' }]);
  });

  it('are cut where one is too long for a memory, and lose nothing by that', async () => {
    const text = `# Long\n${'a line of words 🧵\n'.repeat(5_000)}${'x'.repeat(70_000)}`;
    await write({ 'notes/long.md': text });
    const { items } = await read('notes');
    expect(items.length).toBeGreaterThan(2);
    expect(items.map(({ memory }) => memory.text).join('')).toBe(text);
    for (const { memory } of items) expect(Buffer.byteLength(memory.text)).toBeLessThanOrEqual(65_536);
    expect(ids(items)).toEqual(items.map((_, index) => `long.md#${index + 1}`));
    expect(items[0]?.memory.title).toBe(`Long (1 of ${items.length})`);
  });

  it.each([
    [
      'a.jsonl',
      `${JSON.stringify(graph[0])}\n{"type": "entity"\n`,
      'mcp-memory',
      /a\.jsonl:2: The line is no valid JSON/,
    ],
    [
      'a.jsonl',
      `${JSON.stringify(graph[0])}\n\n{"type": "entity"}\n`,
      'mcp-memory',
      /a\.jsonl:3: `name` is not as expected/,
    ],
    ['a.json', '{\n  "results": [\n    {]\n}', 'mem0', /a\.json:3: It is no valid JSON/],
    [
      'a.json',
      '{"memories": [{"content": "x"}, {"content": 7}]}',
      'mcp-memory-service',
      /`memories\.1\.content` is not/,
    ],
    ['a.md', '---\ntitle: x\n', 'basic-memory', /a\.md:1: The front matter/],
    ['a.md', new Uint8Array([0x23, 0xff, 0xfe]), 'serena', /no text in UTF-8/],
    ['a.json', '{"id": "e1"}', 'tempera-seed', /`intent` is not/],
    ['a.jsonl', '{"id": "e1"}', 'tempera', /a\.jsonl:1: `id` is not/],
    ['a.db', 'SQLite format 3\0 and nothing', 'claude-mem', /a\.db/],
  ])(
    'are refused whole, with file and line, where the input is malformed: %s %#',
    async (name, content, from, words) => {
      await write({ [name]: content });
      await expect(read(name, from)).rejects.toMatchObject({
        kind: 'invalid-input',
        message: expect.stringMatching(words) as string,
      });
    },
  );

  it('are not guessed at where nothing is known, and not read of a spoilt export', async () => {
    await write({
      'a.txt': 'words',
      'out/manifest.json': '{"format":"tempera-export","version":1,"files":[{"name":"memories.jsonl","sha256":"00"}]}',
      'out/memories.jsonl': '',
    });
    await expect(read('a.txt')).rejects.toThrow('It is not known');
    await expect(read('a.txt', 'nothing')).rejects.toThrow('--from is one of');
    await expect(read('out')).rejects.toThrow('checksum');
    await expect(read('nowhere')).rejects.toMatchObject({ kind: 'not-found' });
  });
});
