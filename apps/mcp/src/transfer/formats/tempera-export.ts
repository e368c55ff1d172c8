import { createHash } from 'node:crypto';
import { z } from 'zod';
import { field, type ImportFormat, peekLine, soleFile } from '../import-format.js';
import { check, type ImportInput, parseJson, parseLines } from '../import-input.js';
import { faultAt, type ImportItem, type ParsedImport } from '../import-item.js';

const LINES = 'memories.jsonl';
const MANIFEST = 'manifest.json';

const text = z.string();
const optional = z.string().nullish();
const lineShape = z.object({
  id: z.uuid(),
  kind: text,
  scope: text,
  project: optional,
  group: optional,
  title: text,
  text,
  taskType: optional,
  outcome: optional,
  tags: z.array(text),
  filesModified: z.array(text),
  errorsResolved: z.array(z.object({ error: text, resolution: optional })),
  alternatives: z.array(z.object({ approach: text, whyNot: text, revisitIf: optional })),
  validity: text,
  verification: text,
  pinned: z.boolean(),
  expiresAt: optional,
  state: z.enum(['active', 'archived', 'forgotten', 'refuted']),
  stateReason: optional,
  supersededBy: optional,
  startedAt: text,
  endedAt: text,
  session: z.object({ id: text, key: optional }).nullish(),
});
type Line = z.output<typeof lineShape>;

const manifestShape = z.object({
  format: z.literal('tempera-export'),
  version: z.literal(1, { error: 'This version of the client reads version 1' }),
  files: z.array(z.object({ name: text, sha256: text })),
});

const up = (word: string): string => word.toUpperCase().replaceAll('-', '_');
const upOptional = (word: string | null | undefined): string | null =>
  word === null || word === undefined ? null : up(word);

const toItem = (line: Line, older: ReadonlyMap<string, readonly string[]>): ImportItem => ({
  sourceId: line.id,
  state: up(line.state),
  stateReason: line.stateReason ?? null,
  supersededBy: line.supersededBy ?? null,
  supersedes: older.get(line.id) ?? [],
  memory: {
    ...{ text: line.text, title: line.title, kind: up(line.kind), tags: line.tags, filesModified: line.filesModified },
    ...{ scope: up(line.scope), project: line.project ?? null, group: line.group ?? null, pinned: line.pinned },
    ...{ taskType: upOptional(line.taskType), outcome: upOptional(line.outcome) },
    ...{ errorsResolved: line.errorsResolved, alternatives: line.alternatives },
    ...{ validity: up(line.validity), verification: up(line.verification), expiresAt: line.expiresAt ?? null },
    ...{ startedAt: line.startedAt, occurredAt: line.endedAt },
    sessionKey: line.session ? (line.session.key ?? `import:${line.session.id}`) : null,
    // They were told apart where they come from.
    merge: 'NEVER',
  },
});

/** Whether the file is as the export's manifest says. */
const verify = async (input: ImportInput, content: string): Promise<void> => {
  if (!input.names.includes(MANIFEST)) return;
  const manifest = check(MANIFEST, null, parseJson(MANIFEST, await input.read(MANIFEST)), manifestShape);
  const wanted = manifest.files.find(({ name }) => name === LINES)?.sha256;
  if (wanted === createHash('sha256').update(content).digest('hex')) return;
  throw faultAt(LINES, null, 'It is not the file that the manifest tells of: its checksum differs.');
};

const parse = async (input: ImportInput): Promise<ParsedImport> => {
  const name = input.isFolder ? LINES : (soleFile(input, '.jsonl') ?? LINES);
  if (!input.names.includes(name)) throw faultAt(name, null, 'The export has no such file.');
  const content = await input.read(name);
  await verify(input, content);
  const lines = parseLines(name, content, lineShape).map(({ value }) => value);
  const older = new Map<string, string[]>();
  for (const { id, supersededBy } of lines) {
    if (supersededBy) older.set(supersededBy, [...(older.get(supersededBy) ?? []), id]);
  }
  const forgotten = lines.filter(({ state }) => state === 'forgotten');
  return {
    items: lines.filter(({ state }) => state !== 'forgotten').map((line) => toItem(line, older)),
    skipped: forgotten.map(({ id }) => ({ sourceId: id, reason: 'It was forgotten where it comes from.' })),
  };
};

export const temperaExport: ImportFormat = {
  name: 'tempera',
  reads: 'an export of Tempera Team (the folder, or its memories.jsonl)',
  matches: async (input) => {
    if (input.isFolder) return input.names.includes(MANIFEST) && input.names.includes(LINES);
    const name = soleFile(input, '.jsonl');
    const line = name === null ? undefined : await peekLine(input, name);
    return field(line, 'validity') !== undefined && field(line, 'filesModified') !== undefined;
  },
  parse,
};
