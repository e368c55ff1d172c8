import { open, rename, writeFile } from 'node:fs/promises';

/** Writes a small file so that it is whole or not there, whatever happens meanwhile. */
export const writeDurably = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  const handle = await open(`${file}.part`);
  await handle.sync();
  await handle.close();
  await rename(`${file}.part`, file);
};
