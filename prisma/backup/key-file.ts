import { readFile } from 'node:fs/promises';

/** The lines of a file of age recipients or identities; `#` begins a comment. None where no file is named. */
export const readKeyFile = async (file: string | undefined): Promise<string[]> => {
  if (file === undefined) return [];
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  // An empty file is a slip: a backup that should be encrypted must not be taken in the clear.
  if (keys.length === 0) throw new Error(`${file} holds no key.`);
  return keys;
};
