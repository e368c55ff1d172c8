import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@tempera/client-kit';

const MAX_DEPTH = 4;
/** What subagents said stands in files of their own, and the answers of tools. */
const ASIDE: ReadonlySet<string> = new Set(['subagents', 'tool-results', 'node_modules']);

const inFolder = async (folder: string, depth: number): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith('.jsonl')) found.push(path);
    else if (entry.isDirectory() && depth < MAX_DEPTH && !ASIDE.has(entry.name))
      found.push(...(await inFolder(path, depth + 1)));
  }
  return found;
};

/** The conversation files that are meant, by name. @throws AppError `not-found` for what is not there */
export const findTranscripts = async (paths: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const path of paths) {
    const kind = await stat(path).catch(() => null);
    if (kind === null) throw new AppError('not-found', 'no-such-file', `There is no ${path}.`);
    if (kind.isDirectory()) found.push(...(await inFolder(path, 0)));
    else found.push(path);
  }
  return [...new Set(found)].sort();
};
