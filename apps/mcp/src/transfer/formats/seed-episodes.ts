import { z } from 'zod';
import { field, type ImportFormat, peekJson } from '../import-format.js';
import { check, parseJson } from '../import-input.js';
import { inPieces, type ImportItem, momentOf, sourceIdOf, tagsOf } from '../import-item.js';

const optional = z.string().nullish();
const episodeShape = z.object({
  id: z.string(),
  timestamp_start: optional,
  timestamp_end: optional,
  intent: z.object({
    raw_prompt: z.string().default(''),
    extracted_intent: z.string().default(''),
    task_type: z.string().default('unknown'),
    domain: z.array(z.string()).default([]),
  }),
  context: z
    .object({
      files_modified: z.array(z.string()).default([]),
      errors_encountered: z.array(z.object({ message: z.string(), resolution: optional })).default([]),
    })
    .default({ files_modified: [], errors_encountered: [] }),
  outcome: z
    .object({ status: z.enum(['success', 'partial', 'failure']).default('partial') })
    .default({ status: 'partial' }),
  session_id: optional,
});
type Episode = z.output<typeof episodeShape>;

const TASK_TYPES = new Set(['bugfix', 'feature', 'refactor', 'test', 'docs', 'research', 'debug', 'setup']);

/** Both wordings where they differ; a capture by MCP says the same twice. */
const textOf = ({ intent: { extracted_intent: intent, raw_prompt: prompt } }: Episode): string =>
  intent.trim() === '' || prompt.includes(intent) ? prompt : prompt.trim() === '' ? intent : `${intent}\n\n${prompt}`;

const toItems = (episode: Episode): ImportItem[] => {
  const { intent, context, outcome } = episode;
  return inPieces({
    sourceId: sourceIdOf(episode.id),
    memory: {
      ...{ text: textOf(episode), kind: 'EPISODE', tags: tagsOf(intent.domain) },
      taskType: TASK_TYPES.has(intent.task_type) ? intent.task_type.toUpperCase() : null,
      outcome: outcome.status.toUpperCase(),
      filesModified: context.files_modified,
      errorsResolved: context.errors_encountered.map(({ message, resolution }) => ({
        error: message,
        resolution: resolution ?? null,
      })),
      startedAt: momentOf(episode.timestamp_start),
      occurredAt: momentOf(episode.timestamp_end ?? episode.timestamp_start),
      sessionKey: episode.session_id ?? null,
    },
  });
};

const isEpisodeFile = (name: string): boolean => /(^|\/)session-[^/]+\.json$/.test(name);

/** The files of the tool that this one grew out of: one episode each. */
export const seedEpisodes: ImportFormat = {
  name: 'tempera-seed',
  reads: 'episodes of the single-user Tempera (the folder `episodes`, or one session-*.json)',
  matches: async (input) => {
    if (input.isFolder) return input.names.some(isEpisodeFile);
    return field(field(await peekJson(input), 'intent'), 'raw_prompt') !== undefined;
  },
  parse: async (input) => {
    const items: ImportItem[] = [];
    for (const name of input.isFolder ? input.names.filter(isEpisodeFile) : input.names) {
      items.push(...toItems(check(name, null, parseJson(name, await input.read(name)), episodeShape)));
    }
    const isEmpty = ({ memory }: ImportItem): boolean => memory.text.trim() === '';
    return {
      items: items.filter((item) => !isEmpty(item)),
      skipped: items.filter(isEmpty).map(({ sourceId }) => ({ sourceId, reason: 'It says nothing.' })),
    };
  },
};
