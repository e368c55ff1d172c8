import { AppError } from '@tempera/client-kit';
import { claudeMem } from './formats/claude-mem.js';
import { everMem, mcpMemoryService, mem0 } from './formats/json-memories.js';
import { basicMemory, claudeMemory, markdownNotes } from './formats/markdown-notes.js';
import { memoryGraph } from './formats/memory-graph.js';
import { seedEpisodes } from './formats/seed-episodes.js';
import { temperaExport } from './formats/tempera-export.js';
import type { ImportFormat } from './import-format.js';
import type { ImportInput } from './import-input.js';

/** The first that matches is taken: whatever knows its own files best comes first, any Markdown last. */
export const FORMATS: readonly ImportFormat[] = [
  temperaExport,
  seedEpisodes,
  claudeMem,
  memoryGraph,
  mem0,
  mcpMemoryService,
  everMem,
  claudeMemory,
  basicMemory,
  markdownNotes,
];

/** The product by its name, or by what the input looks like. @throws AppError `invalid-input` */
export const chooseFormat = async (input: ImportInput, from: string | null): Promise<ImportFormat> => {
  const names = FORMATS.map(({ name }) => name).join(', ');
  if (from !== null) {
    const named = FORMATS.find(({ name }) => name === from.trim().toLowerCase());
    if (named !== undefined) return named;
    throw new AppError('invalid-input', 'import-from', `--from is one of: ${names}.`);
  }
  for (const format of FORMATS) if (await format.matches(input)) return format;
  throw new AppError('invalid-input', 'import-unknown', `It is not known what ${input.root} comes from.`, {
    details: { fix: `Say --from with one of: ${names}.` },
  });
};
