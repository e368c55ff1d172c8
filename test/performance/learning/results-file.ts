import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Replay } from './replay.js';

/** What one mode gave on one set, kept query by query so that several sets can be taken together. */
export interface ModeResult {
  readonly set: string;
  readonly mode: string;
  readonly replay: Replay;
}

/** Everything but the name of mode and set that a result depends on. */
export interface Conditions {
  readonly seed: number;
  readonly sample: number | null;
  readonly settings: Readonly<Record<string, string>>;
}

interface Kept {
  readonly conditions: Conditions;
  readonly results: ModeResult[];
}

/** Finished modes, kept in a file from one run to the next where one is named. */
export interface ResultsFile {
  readonly find: (set: string, mode: string) => ModeResult | undefined;
  readonly add: (result: ModeResult) => Promise<void>;
}

/** @throws Error where the file's modes ran under other conditions: figures of both would be mixed */
export const openResults = async (file: string | undefined, conditions: Conditions): Promise<ResultsFile> => {
  const kept = file === undefined ? undefined : await readKept(file);
  if (kept !== undefined && JSON.stringify(kept.conditions) !== JSON.stringify(conditions)) {
    throw new Error(`${file} holds modes of ${JSON.stringify(kept.conditions)}: name another file with --out.`);
  }
  const results = kept?.results ?? [];
  return {
    find: (set, mode) => results.find((one) => one.set === set && one.mode === mode),
    add: async (result) => {
      results.push(result);
      if (file === undefined) return;
      // Moved into place, so that whoever stops the bench never leaves half a file.
      await writeFile(`${file}.new`, JSON.stringify({ conditions, results }));
      await rename(`${file}.new`, file);
    },
  };
};

const readKept = async (file: string): Promise<Kept | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
};
