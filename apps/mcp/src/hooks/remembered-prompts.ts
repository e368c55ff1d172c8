import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf } from '../spool/spool-record.js';
import { ensurePrivateFolder, stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';

/** A prompt whose turn goes on. */
export interface RememberedPrompt {
  readonly promptKey: string;
  readonly prompt: string;
}

const KEEP_MS = 2 * 24 * 3_600_000;

/** What was asked, until the turn has ended: the hook at its end is not told. Without secrets, in the user's own state. */
export class RememberedPrompts {
  private readonly folder: string;

  constructor(private readonly world: World) {
    this.folder = join(stateFolderPath(world), 'prompts');
  }

  /** @returns whether it is new: a prompt that two installations of us report is one */
  async remember(sessionKey: string, promptKey: string | null, prompt: string): Promise<boolean> {
    await ensurePrivateFolder(this.folder);
    // A client that names no prompts has one at a time; its last one is what counts.
    const path = this.pathOf(sessionKey, promptKey);
    if (promptKey === null) await rm(path, { force: true });
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify({ promptKey: promptKey ?? this.world.newId(), prompt }));
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST') return false;
      throw error;
    }
  }

  /** `null` when none was remembered, as after an update in the middle of a session. */
  async find(sessionKey: string, promptKey: string | null): Promise<RememberedPrompt | null> {
    try {
      const value: unknown = JSON.parse(await readFile(this.pathOf(sessionKey, promptKey), 'utf8'));
      const { promptKey: key, prompt } = Object(value) as Record<string, unknown>;
      return typeof key === 'string' && typeof prompt === 'string' ? { promptKey: key, prompt } : null;
    } catch {
      return null;
    }
  }

  /** Forgets those of a session that ended, and what others left. */
  async forget(sessionKey: string): Promise<void> {
    const own = nameOf(sessionKey).slice(0, 16);
    for (const name of await readdir(this.folder).catch((): string[] => [])) {
      const path = join(this.folder, name);
      const changed = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      if (name.startsWith(own) || this.world.now().getTime() - changed > KEEP_MS) await rm(path, { force: true });
    }
  }

  private pathOf(sessionKey: string, promptKey: string | null): string {
    return join(this.folder, `${nameOf(sessionKey).slice(0, 16)}-${nameOf(promptKey ?? '').slice(0, 16)}.json`);
  }
}
