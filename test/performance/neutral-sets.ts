import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const neutralSet = z.object({
  name: z.string(),
  language: z.string(),
  memories: z.array(
    z.object({ id: z.string(), text: z.string(), project: z.string(), occurredAt: z.string().optional() }),
  ),
  queries: z.array(
    z.object({ id: z.string(), text: z.string(), project: z.string(), relevant: z.array(z.string()).min(1) }),
  ),
});

/** A retrieval set in neutral form: a query searches its own project only. */
export type NeutralSet = z.infer<typeof neutralSet>;

/** The `.json` files named by paths that may be files or folders, in order of their names. */
export async function recallFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new Error(`No such recall set: ${path}. Pass files or folders with --data.`);
    if (found.isFile()) files.push(path);
    else for (const name of (await readdir(path)).sort()) if (name.endsWith('.json')) files.push(join(path, name));
  }
  return files;
}

/** Reads one set; says which file is malformed and where. */
export async function readNeutralSet(file: string): Promise<NeutralSet> {
  const parsed = neutralSet.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is no recall set: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const CLOCK_FIRST = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2} \w+, \d{4})$/;

/** Public sets write dates in their own ways; an unreadable one is left out rather than guessed. ISO 8601, UTC. */
export function readOccurredAt(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const clock = CLOCK_FIRST.exec(text);
  const written = clock
    ? `${clock[4]} ${(Number(clock[1]) % 12) + (clock[3] === 'pm' ? 12 : 0)}:${clock[2]} UTC`
    : `${text.replace(/\s*\(\w+\)/, '').replaceAll('/', '-')}`;
  const time = Date.parse(/\d{2}:\d{2}$/.test(written) ? `${written.replace(' ', 'T')}Z` : written);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
