import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import type { World } from '../world.js';
import { withFileLock } from './file-lock.js';
import { readPrivateJson, removePrivateFile, writePrivateJson } from './private-file.js';
import { ensurePrivateFolder, stateFolderPath } from './state-folder.js';

const moment = z.iso.datetime({ offset: true });

const loginShape = z.object({
  server: z.string(),
  user: z.object({ id: z.string(), displayName: z.string() }),
  tenant: z.object({ id: z.string(), name: z.string() }),
  secret: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('refresh'), token: z.string(), expiresAt: moment }),
    z.object({ kind: z.literal('personal'), token: z.string() }),
  ]),
  access: z.object({ token: z.string(), validUntil: moment }).nullable(),
});

/** One login as it lies in its 0600 file: a person in a tenant on a server, with the tokens. */
export type Login = z.output<typeof loginShape>;

const currentShape = z.object({ login: z.string() });
const KEY = /^[0-9a-f]{16}$/;

/** Names a login, the same whenever the same person logs in to the same tenant again, so that bindings stay good. */
export const loginKey = (login: Pick<Login, 'server' | 'user' | 'tenant'>): string =>
  createHash('sha256').update([login.server, login.tenant.id, login.user.id].join('\n')).digest('hex').slice(0, 16);

/** The logins of this user on this machine: one file each, with a lock beside it. */
export class LoginFiles {
  readonly folder: string;

  constructor(private readonly world: World) {
    this.folder = join(stateFolderPath(world), 'logins');
  }

  /** @throws AppError `invalid-input` for what is no key: it becomes a file name */
  path(key: string): string {
    if (!KEY.test(key)) throw new AppError('invalid-input', 'login-key', 'This is no name of a login.');
    return join(this.folder, `${key}.json`);
  }

  read(key: string): Promise<Login | null> {
    return readPrivateJson(this.path(key), loginShape);
  }

  async write(key: string, login: Login): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writePrivateJson(this.path(key), login, this.world.randomHex());
  }

  remove(key: string): Promise<void> {
    return removePrivateFile(this.path(key));
  }

  /** Runs `work` while no other process changes this login. */
  async locked<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await ensurePrivateFolder(this.folder);
    return withFileLock(`${this.path(key)}.lock`, this.world, work);
  }

  /** The login used where a folder names none: the last one made. */
  async current(): Promise<string | null> {
    return (await readPrivateJson(join(this.folder, 'current'), currentShape))?.login ?? null;
  }

  async setCurrent(key: string): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writePrivateJson(join(this.folder, 'current'), { login: key }, this.world.randomHex());
  }

  /** Keys of all logins. */
  async keys(): Promise<string[]> {
    try {
      const names = await readdir(this.folder);
      return names
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -5))
        .filter((key) => KEY.test(key));
    } catch (error) {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return [];
      throw error;
    }
  }
}
