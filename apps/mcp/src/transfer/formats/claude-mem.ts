import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import { z } from 'zod';
import type { ImportFormat } from '../import-format.js';
import { check, type ImportInput } from '../import-input.js';
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

const MAGIC = 'SQLite format 3\0';

const optional = z.string().nullish();
const observationShape = z.object({
  id: z.number(),
  memory_session_id: optional,
  sdk_session_id: optional,
  project: optional,
  type: optional,
  title: optional,
  subtitle: optional,
  narrative: optional,
  text: optional,
  facts: optional,
  concepts: optional,
  files_modified: optional,
  created_at_epoch: z.number().nullish(),
});
const summaryShape = z.object({
  id: z.number(),
  memory_session_id: optional,
  sdk_session_id: optional,
  project: optional,
  request: optional,
  investigated: optional,
  learned: optional,
  completed: optional,
  next_steps: optional,
  files_edited: optional,
  created_at_epoch: z.number().nullish(),
});

/** Lists are kept as JSON; older versions wrote one item a line. */
const listOf = (value: string | null | undefined): string[] => {
  if (value === null || value === undefined || value.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.filter((one): one is string => typeof one === 'string') : [value];
  } catch {
    return value.split('\n').filter((line) => line.trim() !== '');
  }
};

const KINDS: Readonly<Record<string, string>> = { decision: 'DECISION', discovery: 'BACKGROUND' };
const TASKS: Readonly<Record<string, string>> = { bugfix: 'BUGFIX', feature: 'FEATURE', refactor: 'REFACTOR' };

const session = (row: Pick<z.output<typeof summaryShape>, 'memory_session_id' | 'sdk_session_id'>): string | null =>
  row.memory_session_id ?? row.sdk_session_id ?? null;

const toObservation = (row: z.output<typeof observationShape>): ImportItem => {
  const facts = listOf(row.facts).map((one) => `- ${one}`);
  const words = [row.title, row.subtitle, row.narrative ?? row.text, facts.join('\n')];
  return {
    sourceId: sourceIdOf(`observation:${row.id}`),
    memory: {
      text: words.filter((part) => (part ?? '').trim() !== '').join('\n\n'),
      title: titleOf(row.title),
      kind: KINDS[row.type ?? ''] ?? 'EPISODE',
      taskType: TASKS[row.type ?? ''] ?? null,
      tags: tagsOf([...listOf(row.concepts), ...(row.project ? [row.project] : [])]),
      filesModified: [...new Set(listOf(row.files_modified))],
      occurredAt: momentOf(row.created_at_epoch),
      sessionKey: session(row),
    },
  };
};

const toSummary = (row: z.output<typeof summaryShape>): ImportItem => {
  const parts = [
    ['Asked', row.request],
    ['Looked into', row.investigated],
    ['Learned', row.learned],
    ['Done', row.completed],
    ['Next', row.next_steps],
  ] as const;
  return {
    sourceId: sourceIdOf(`summary:${row.id}`),
    memory: {
      text: parts
        .filter(([, words]) => (words ?? '').trim() !== '')
        .map(([name, words]) => `${name}: ${words}`)
        .join('\n'),
      title: titleOf(row.request),
      kind: 'EPISODE',
      tags: tagsOf(row.project ? [row.project] : []),
      filesModified: [...new Set(listOf(row.files_edited))],
      occurredAt: momentOf(row.created_at_epoch),
      sessionKey: session(row),
    },
  };
};

const rowsOf = <Shape extends z.ZodType>(
  file: string,
  database: Database,
  table: string,
  shape: Shape,
): z.output<Shape>[] => {
  const statement = database.prepare(`select * from ${table} order by id`);
  const rows: z.output<Shape>[] = [];
  try {
    while (statement.step()) rows.push(check(`${file} (${table})`, rows.length + 1, statement.getAsObject(), shape));
    return rows;
  } finally {
    statement.free();
  }
};

const tablesOf = (database: Database): Set<string> =>
  new Set(
    (database.exec(`select name from sqlite_master where type = 'table'`)[0]?.values ?? []).map(([name]) =>
      String(name),
    ),
  );

/** What was written since the last checkpoint lies beside the database, where this reader does not look. */
const requireCheckpoint = async ({ root }: ImportInput, name: string): Promise<void> => {
  const log = await stat(join(root, `${name}-wal`)).catch(() => null);
  if (log === null || log.size === 0) return;
  throw faultAt(`${name}-wal`, null, 'The database is in use: end claude-mem and its sessions first.');
};

const parse = async (input: ImportInput): Promise<ParsedImport> => {
  const [name = ''] = input.names;
  await requireCheckpoint(input, name);
  const bytes = await input.bytes(name);
  // Bytes 18 and 19 ask for the write-ahead log, which a database in memory cannot have; there is nothing in it.
  if (bytes.length > 20) bytes.fill(1, 18, 20);
  // Loaded for this alone; the plugin's bundle is without it.
  const { default: initSqlJs } = await import('sql.js').catch(() => ({ default: null }));
  if (initSqlJs === null) throw faultAt(name, null, 'A database is read by the installed command, not by the plugin.');
  const { Database: Sqlite } = await initSqlJs();
  const database = new Sqlite(bytes);
  try {
    const tables = tablesOf(database);
    if (!tables.has('observations'))
      throw faultAt(name, null, 'It is no database of claude-mem: it has no table `observations`.');
    const summaries = tables.has('session_summaries') ? rowsOf(name, database, 'session_summaries', summaryShape) : [];
    const all = [
      ...rowsOf(name, database, 'observations', observationShape).map(toObservation),
      ...summaries.map(toSummary),
    ];
    const isEmpty = ({ memory }: ImportItem): boolean => memory.text === '';
    return {
      items: all.filter((item) => !isEmpty(item)).flatMap(inPieces),
      skipped: all.filter(isEmpty).map(({ sourceId }) => ({ sourceId, reason: 'It says nothing.' })),
    };
  } catch (error) {
    if (error instanceof Error && /malformed|not a database|disk image/i.test(error.message) && error.name === 'Error')
      throw faultAt(name, null, 'The database is damaged.');
    throw error;
  } finally {
    database.close();
  }
};

/** The database of claude-mem, read in memory by SQLite as WebAssembly: nothing is built, and the file is not touched. */
export const claudeMem: ImportFormat = {
  name: 'claude-mem',
  reads: "claude-mem's database (~/.claude-mem/claude-mem.db)",
  matches: async (input) => {
    const [name] = input.names;
    if (input.isFolder || name === undefined || /\.(json|jsonl|md)$/.test(name)) return false;
    return (await input.bytes(name)).subarray(0, MAGIC.length).toString('latin1') === MAGIC;
  },
  parse,
};
