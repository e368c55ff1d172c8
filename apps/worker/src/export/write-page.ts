import { AppError } from '@tempera/client-kit';
import {
  appendPart,
  type Doors,
  type ExportFileName,
  exportMemories,
  exportQuestions,
  type ExportRef,
  exportRevisions,
  type ExportSection,
  type ExportSpan,
  exportTurns,
  exportVotes,
  findExport,
  type HeldExport,
  holdExport,
  moveExport,
  sectionsOf,
  type Tx,
} from '@tempera/platform';
import { toLines, toMarkdown, toParts } from './render.js';

/** Rows of a page: of texts a few megabytes at most, and quick enough for one transaction. */
const ROWS: Readonly<Record<ExportSection, number>> = {
  memories: 50,
  revisions: 50,
  votes: 500,
  questions: 500,
  turns: 20,
};

/** What a page adds to which file, and where the next one begins. */
interface Page {
  readonly files: readonly (readonly [ExportFileName, string])[];
  readonly rows: number;
  readonly last: string | null;
}

/**
 * Holds an export in the asker's name. @returns null when it is complete
 * @throws AppError `forbidden` where its asker may not have it any more
 */
export const holdOwn = async (tx: Tx, { tenantId, exportId }: ExportRef): Promise<HeldExport | null> => {
  const held = await holdExport(tx, tenantId, exportId);
  if (held !== null) return held;
  if ((await findExport(tx, tenantId, exportId))?.status === 'completed') return null;
  throw new AppError('forbidden', 'export-lost', 'Whoever asked for this export may not have it any more.');
};

/**
 * Writes the next page: its parts and the place it has got to in one transaction, in the name of who asked, so that the
 * database decides what is in it and a page that is written again changes nothing. @returns whether there are more
 */
export const writePage = (doors: Pick<Doors, 'asTenant'>, ref: ExportRef): Promise<boolean> =>
  doors.asTenant(ref, async (tx) => {
    const held = await holdOwn(tx, ref);
    if (held === null || held.section === 'done') return false;
    const { section, kind } = held;
    const limit = ROWS[section];
    const page = await readPage(tx, section, { ...held, ...ref, limit });
    for (const [file, content] of page.files) {
      for (const part of toParts(content)) await appendPart(tx, { ...ref, id: ref.exportId }, file, part);
    }
    const isLast = page.rows < limit;
    const sections = sectionsOf(kind);
    const next = isLast ? (sections[sections.indexOf(section) + 1] ?? 'done') : section;
    const memories = section === 'memories' ? page.rows : 0;
    await moveExport(tx, { ...ref, id: ref.exportId }, { section: next, after: isLast ? null : page.last, memories });
    return next !== 'done';
  });

const readPage = async (tx: Tx, section: ExportSection, span: ExportSpan): Promise<Page> => {
  switch (section) {
    case 'memories': {
      const rows = await exportMemories(tx, span);
      const files = [['memories.jsonl', toLines(rows)] as const, ['memories.md', toMarkdown(rows)] as const];
      return { files, rows: rows.length, last: rows.at(-1)?.cursor ?? null };
    }
    case 'revisions':
      return pageOf('revisions.jsonl', await exportRevisions(tx, span));
    case 'votes':
      return pageOf('votes.jsonl', await exportVotes(tx, span));
    case 'questions':
      return pageOf('questions.jsonl', await exportQuestions(tx, span));
    case 'turns':
      return pageOf('turns.jsonl', await exportTurns(tx, span));
  }
};

const pageOf = (file: ExportFileName, rows: readonly { readonly cursor: string }[]): Page => ({
  files: [[file, toLines(rows)]],
  rows: rows.length,
  last: rows.at(-1)?.cursor ?? null,
});
