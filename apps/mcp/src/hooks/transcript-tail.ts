import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { TranscriptReader, type TranscriptTool } from '@tempera/client-kit';

/** The end of a transcript is looked at, no more: a session may have fifty megabytes, and a hook a fifth of a second. */
const TAIL_BYTES = 256 * 1024;

/** What the end of a transcript tells of the turn that ended. */
export interface Tail {
  readonly tools: readonly TranscriptTool[];
  /** By which the client knows its last line; `null` where it has none. */
  readonly lastId: string | null;
}

const NOTHING: Tail = { tools: [], lastId: null };

interface Turn {
  readonly sessionKey: string;
  readonly promptKey: string | null;
}

/** A turn may have begun before the tail does: what stands there first is its own until another prompt comes. */
const beginningOf = ({ sessionKey, promptKey }: Turn): string =>
  JSON.stringify({ type: 'user', sessionId: sessionKey, promptId: promptKey ?? '', message: { content: '-' } });

const toolsIn = (lines: readonly string[], turn: Turn): readonly TranscriptTool[] => {
  const reader = new TranscriptReader();
  reader.push(beginningOf(turn));
  for (const line of lines) reader.push(line);
  const turns = reader.read().filter(({ sessionKey }) => sessionKey === turn.sessionKey);
  const named = turns.filter(({ promptKey }) => promptKey === turn.promptKey);
  const last = turns.at(-1);
  // The made-up beginning bears the name, too; the real one comes after it.
  return (turn.promptKey === null || named.length === 0 ? last : named.at(-1))?.tools ?? [];
};

const idOf = (line: string): string | null => {
  try {
    const id: unknown = Reflect.get(Object(JSON.parse(line)), 'uuid');
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
};

/** What is no message has none. */
const LINES_WITHOUT = 10;
const lastIdIn = (lines: readonly string[]): string | null =>
  lines
    .slice(-LINES_WITHOUT)
    .map(idOf)
    .findLast((id) => id !== null) ?? null;

/**
 * The tools of the turn that ended and where it did, by the end of the client's own file. Only what it says beside the hook's own
 * fields; a file that is missing, late or of another form costs nothing.
 */
export const tailOf = async (path: string | null, turn: Turn): Promise<Tail> => {
  // Whoever writes the hook's input must not have us read some other file.
  if (path === null || !isAbsolute(path) || !path.endsWith('.jsonl')) return NOTHING;
  try {
    const file = await open(path, 'r');
    try {
      const found = await file.stat();
      if (!found.isFile()) return NOTHING;
      const from = Math.max(0, found.size - TAIL_BYTES);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(TAIL_BYTES, found.size)), 0, undefined, from);
      const all = buffer.toString('utf8', 0, bytesRead).split('\n');
      // The first line is cut off unless the file begins there; the last one, unless it has an end.
      const lines = all.slice(from === 0 ? 0 : 1, -1);
      return { tools: toolsIn(lines, turn), lastId: lastIdIn(lines) };
    } finally {
      await file.close();
    }
  } catch {
    return NOTHING;
  }
};
