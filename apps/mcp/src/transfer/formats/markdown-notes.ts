import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ImportFormat } from '../import-format.js';
import type { ImportInput } from '../import-input.js';
import {
  faultAt,
  inPieces,
  type ImportItem,
  momentOf,
  type ParsedImport,
  sourceIdOf,
  tagsOf,
  titleOf,
} from '../import-item.js';

/** Notes in Markdown, one memory each: of basic-memory, of serena, of Claude Code's own memory. */

interface Note {
  readonly name: string;
  /** Of the front matter, lower-case names; lists as their items. */
  readonly facts: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

const isNote = (name: string): boolean => /\.(md|markdown)$/i.test(name) && !/(^|\/)\./.test(name);

const unquote = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2');

/** The simple YAML of front matter: `name: value`, `name: [a, b]`, and lists of `- item` lines. What is nested is passed over. */
const parseFacts = (file: string, lines: readonly string[]): Map<string, string[]> => {
  const facts = new Map<string, string[]>();
  let last: string | null = null;
  for (const [index, line] of lines.entries()) {
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^(\s*)([\w.-]+):\s*(.*)$/.exec(line);
    if (item !== null && last !== null) facts.get(last)?.push(unquote(item[1] ?? ''));
    else if (pair !== null) {
      const [, indent = '', key = '', value = ''] = pair;
      last = key.toLowerCase();
      const list = /^\[(.*)\]$/.exec(value.trim());
      const values = list === null ? [unquote(value)] : (list[1] ?? '').split(',').map(unquote);
      if (indent === '' || !facts.has(last))
        facts.set(
          last,
          values.filter((one) => one !== ''),
        );
    } else if (line.trim() !== '' && !line.startsWith('#') && last === null) {
      throw faultAt(file, index + 2, 'The front matter has no `name: value` here.');
    }
  }
  return facts;
};

const readNote = async (input: ImportInput, name: string): Promise<Note> => {
  const text = (await input.read(name)).replaceAll('\r\n', '\n');
  if (!text.startsWith('---\n')) return { name, facts: new Map(), body: text.trim() };
  const lines = text.split('\n');
  const end = lines.indexOf('---', 1);
  if (end < 0) throw faultAt(name, 1, 'The front matter that begins here has no end.');
  return {
    name,
    facts: parseFacts(name, lines.slice(1, end)),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
};

const fact = ({ facts }: Note, ...names: readonly string[]): string | null =>
  names.flatMap((name) => facts.get(name) ?? [])[0] ?? null;

/** The title that the note says, else its first heading, else its file's name. */
const titleOfNote = (note: Note): string | null =>
  titleOf(
    fact(note, 'title', 'name') ?? /^#\s+(.+)$/m.exec(note.body)?.[1] ?? basename(note.name).replace(/\.\w+$/, ''),
  );

const tagsOfNote = ({ facts }: Note): string[] => tagsOf((facts.get('tags') ?? []).flatMap((tag) => tag.split(',')));

const toItems = async (input: ImportInput, note: Note, more: Partial<ImportItem['memory']>): Promise<ImportItem[]> => {
  const { mtime } = await stat(join(input.root, note.name));
  const said = fact(note, 'modified', 'updated', 'created', 'date');
  return inPieces({
    sourceId: sourceIdOf(fact(note, 'permalink') ?? note.name),
    memory: {
      ...{ text: note.body, title: titleOfNote(note), tags: tagsOfNote(note), kind: 'BACKGROUND' },
      occurredAt: momentOf(said) ?? mtime.toISOString(),
      ...more,
    },
  });
};

const parseNotes = async (
  input: ImportInput,
  names: readonly string[],
  moreOf: (note: Note) => Partial<ImportItem['memory']>,
): Promise<ParsedImport> => {
  const items: ImportItem[] = [];
  const skipped: ParsedImport['skipped'][number][] = [];
  for (const name of names) {
    const note = await readNote(input, name);
    if (note.body === '') skipped.push({ sourceId: name, reason: 'It says nothing.' });
    else items.push(...(await toItems(input, note, moreOf(note))));
  }
  return { items, skipped };
};

const notesOf = (input: ImportInput): string[] => input.names.filter(isNote);

/** Whether some of the notes have a permalink, as basic-memory gives every note. */
const hasPermalinks = async (input: ImportInput): Promise<boolean> => {
  for (const name of notesOf(input).slice(0, 20)) {
    if (/^---\n[^]*?^permalink:/m.test((await input.read(name).catch(() => '')).slice(0, 2_000))) return true;
  }
  return false;
};

export const basicMemory: ImportFormat = {
  name: 'basic-memory',
  reads: "basic-memory's notes (a folder of Markdown, or one note)",
  matches: hasPermalinks,
  parse: (input) =>
    parseNotes(input, notesOf(input), (note) => ({
      kind: fact(note, 'type') === 'decision' ? 'DECISION' : 'BACKGROUND',
    })),
};

/** What Claude Code calls its notes: who the user is, how to work, what goes on, where things are. */
const CLAUDE_KINDS: Readonly<Record<string, string>> = { user: 'PREFERENCE', feedback: 'CORRECTION' };
const INDEX = /(^|\/)MEMORY\.md$/;

/** Claude Code's own memory: MEMORY.md is an index, which loads each time; what it names lies beside it. */
export const claudeMemory: ImportFormat = {
  name: 'claude-memory',
  reads: "Claude Code's own memory (the folder with MEMORY.md and its topic files)",
  matches: (input) => Promise.resolve(input.names.some((name) => INDEX.test(name))),
  parse: async (input) => {
    const topics = notesOf(input).filter((name) => !INDEX.test(name));
    const parsed = await parseNotes(input, topics, (note) => ({
      kind: CLAUDE_KINDS[fact(note, 'type') ?? ''] ?? 'BACKGROUND',
    }));
    const index = await indexOf(input);
    return { ...parsed, items: [...index, ...parsed.items] };
  },
};

/** What MEMORY.md says itself, beside the lines that only name a topic file. */
const indexOf = async (input: ImportInput): Promise<ImportItem[]> => {
  const items: ImportItem[] = [];
  for (const name of input.names.filter((one) => INDEX.test(one))) {
    const note = await readNote(input, name);
    const own = note.body.split('\n').filter((line) => !/^\s*[-*]\s*\[[^\]]*\]\([^)]+\.md\)/.test(line));
    const says = own.some((line) => line.trim() !== '' && !line.startsWith('#'));
    if (says) items.push(...(await toItems(input, { ...note, body: own.join('\n').trim() }, {})));
  }
  return items;
};

/** Serena's notes, and every other folder of Markdown. */
export const markdownNotes: ImportFormat = {
  name: 'serena',
  reads: "serena's notes (.serena/memories), or any other Markdown: a memory for each file",
  matches: (input) => Promise.resolve(notesOf(input).length > 0),
  parse: (input) => parseNotes(input, notesOf(input), () => ({})),
};
