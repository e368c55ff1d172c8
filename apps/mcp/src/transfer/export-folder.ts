import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from '../state/private-file.js';

/** Beside the files while they are fetched; gone when all are there. */
const STATE = '.tempera-export.json';
export const MANIFEST = 'manifest.json';

const stateShape = z.object({
  exportId: z.string(),
  /** What was asked for, to tell another export from this one. */
  wish: z.string(),
  /** By file: how much of it is here. */
  fetched: z.record(z.string(), z.object({ parts: z.number(), bytes: z.number() })),
});
export type ExportState = z.output<typeof stateShape>;

/** A file of an export as the service tells it. */
export interface RemoteFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly parts: number;
}

const refuse = (code: string, message: string, fix: string): AppError =>
  new AppError('invalid-input', code, message, { details: { fix } });

/** A folder that an export is fetched into; stopped at any moment, it is gone on with where it was. */
export class ExportFolder {
  constructor(
    private readonly path: string,
    private readonly newId: () => string,
  ) {}

  /** What an earlier run left; null for an empty or new folder. @throws AppError for one that holds something else */
  async open(wish: string): Promise<ExportState | null> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const state = await readPrivateJson(join(this.path, STATE), stateShape);
    if (state !== null) {
      if (state.wish === wish) return state;
      throw refuse('folder-of-another', `${this.path} holds a part of another export.`, 'Choose another folder.');
    }
    if ((await readdir(this.path)).length === 0) return null;
    throw refuse('folder-not-empty', `${this.path} is not empty.`, 'Choose a new folder for --out.');
  }

  save(state: ExportState): Promise<void> {
    return writePrivateJson(join(this.path, STATE), state, this.newId());
  }

  /**
   * Fetches what is missing of a file and checks all of it.
   * @throws AppError where it is not what the service says; the next run fetches it anew
   */
  async fetch(file: RemoteFile, state: ExportState, readPart: (part: number) => Promise<string>): Promise<void> {
    const path = join(this.path, file.name);
    const at = state.fetched[file.name] ?? { parts: 0, bytes: 0 };
    await writeFile(path, '', { flag: 'a', mode: 0o600 });
    // What was written after the last note of it is written again.
    await truncate(path, at.bytes);
    for (let { parts, bytes } = at; parts < file.parts;) {
      const content = await readPart(parts);
      await appendFile(path, content);
      parts += 1;
      bytes += Buffer.byteLength(content);
      state.fetched[file.name] = { parts, bytes };
      await this.save(state);
    }
    if ((await checksumOf(path)) === file.sha256) return;
    state.fetched[file.name] = { parts: 0, bytes: 0 };
    await this.save(state);
    throw new AppError('unavailable', 'checksum', `${file.name} is not as the service wrote it.`, {
      details: { fix: 'Run the same command again; the file is fetched anew.' },
    });
  }

  /** Everything is here and checked. */
  async complete(manifest: string): Promise<void> {
    await writeFile(join(this.path, MANIFEST), manifest, { mode: 0o600 });
    await rm(join(this.path, STATE));
  }
}

/** SHA-256 of a file, hexadecimal. */
export const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};
