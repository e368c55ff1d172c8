import type { TranscriptTool } from '@tempera/client-kit';
import type { SpooledTool } from '../spool/spool-record.js';
import { keepableLine } from './said.js';

/** What the service takes. */
const MAX_TOOLS = 100;
const MAX_TEXT = 1_000;
const MAX_ERROR = 500;

/** Uses of tools as they may lie on the disk: the name, the file or command it was given, how it failed. Never what it answered. */
export const keptTools = (tools: readonly TranscriptTool[]): SpooledTool[] =>
  tools.slice(-MAX_TOOLS).map(({ name, file, command, error }) => {
    const kept = {
      file: keepableLine(file, MAX_TEXT),
      command: keepableLine(command, MAX_TEXT),
      error: keepableLine(error, MAX_ERROR),
    };
    const said = Object.entries(kept).filter(([, text]) => text !== undefined);
    return { name: keepableLine(name, 200) ?? 'unknown', ...Object.fromEntries(said) };
  });
