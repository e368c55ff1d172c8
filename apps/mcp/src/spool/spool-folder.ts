import { appendFile, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { ensurePrivateFolder, stateFolderPath } from '../state/state-folder.js';
import type { World } from '../world.js';
import { keyOf, nameOf, readRecord, type SpoolRecord } from './spool-record.js';

/** What waits for one login may take so much of the disk; what comes then is refused, and counted. */
export const MAX_SPOOL_BYTES = 64 * 1024 * 1024;
const MAX_RECORDS = 5_000;
/** What was set aside is kept to be looked at, not for ever: the oldest goes first. */
const MAX_ASIDE = 500;

/** The time, the key, and (but for those of an older version) the login and the size, so that nothing need be opened to know them. */
const NAME = /^\d{15}-[0-9a-f]{32}(?:-([0-9a-f]{16})-(\d+))?\.json$/;
const LOGIN = /^[0-9a-f]{16}$/;

/** Where a record lies. */
export interface Waiting {
  readonly name: string;
  readonly bytes: number;
  readonly since: Date;
}

/** What came of adding a record. */
export type Added = 'added' | 'known' | 'full';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && codes.includes(String(Reflect.get(error, 'code')));

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** `null` where the name does not say it. */
export const loginIn = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

const sizeIn = (name: string): number | null => {
  const size = NAME.exec(name)?.[2];
  return size === undefined ? null : Number(size);
};

const timeOf = (name: string): number => Number(name.slice(0, 15));

/** A name is on the disk when its folder is. Windows has no such thing, and its file systems write names in order. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};

/** Written beside, on the disk, then named: there is a whole record or none. */
const writeWhole = async (path: string, text: string, unique: string): Promise<void> => {
  const draft = `${path}.${unique}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
};

/**
 * What waits for the service, in the user's own state: a file for each record, written once and removed when the service has
 * it. Names begin with the time, so their order is the order of a session (docs/decisions/0054-a-spool-of-files.md).
 */
export class SpoolFolder {
  readonly folder: string;
  private readonly aside: string;

  constructor(private readonly world: World) {
    this.folder = join(stateFolderPath(world), 'spool');
    this.aside = join(this.folder, 'aside');
  }

  /** @throws AppError `unavailable` where the disk takes no more, which is noted when it can be */
  async add(record: SpoolRecord): Promise<Added> {
    await ensurePrivateFolder(this.folder);
    const names = await namesIn(this.folder);
    const key = nameOf(keyOf(record));
    if (names.some((name) => name.includes(key))) return 'known';
    const text = `${JSON.stringify(record)}\n`;
    const size = Buffer.byteLength(text);
    // A login that nobody takes from must not take the room of the others.
    const own = names.filter((one) => [null, record.login].includes(loginIn(one)));
    if (own.length >= MAX_RECORDS || (await this.bytesOf(own)) + size > MAX_SPOOL_BYTES) {
      await this.noteLost('full');
      return 'full';
    }
    // A clock that was set back must not put a turn before its predecessor.
    const time = Math.max(this.world.now().getTime(), timeOf(names.at(-1) ?? '0') + 1);
    const facts = LOGIN.test(record.login) ? `-${record.login}-${size}` : '';
    const name = `${String(time).padStart(15, '0')}-${key}${facts}.json`;
    try {
      await writeWhole(join(this.folder, name), text, this.world.randomHex());
    } catch (cause) {
      await this.noteLost('disk');
      throw new AppError('unavailable', 'spool-unwritable', `${this.folder} cannot be written.`, { cause });
    }
    return 'added';
  }

  /** The names of what waits, oldest first: one look at the folder. */
  names(): Promise<string[]> {
    return namesIn(this.folder);
  }

  /** All that waits, oldest first. */
  async waiting(): Promise<Waiting[]> {
    const found: Waiting[] = [];
    for (const name of await namesIn(this.folder)) {
      const bytes = await this.bytesOf([name]);
      found.push({ name, bytes, since: new Date(timeOf(name)) });
    }
    return found;
  }

  /** `null` when another process has delivered it meanwhile; `torn` for what is no whole record. */
  async read(name: string): Promise<SpoolRecord | 'torn' | null> {
    try {
      return readRecord(await readFile(join(this.folder, name), 'utf8')) ?? 'torn';
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
    await rm(join(this.folder, `${name}.tries`), { force: true });
  }

  /** Counts a try that the service itself failed at. @returns how many it were */
  async noteTry(name: string): Promise<number> {
    const path = join(this.folder, `${name}.tries`);
    await appendFile(path, '.', { mode: 0o600 });
    return (await stat(path)).size;
  }

  /** Takes a record out of the way that can never be delivered, with why. */
  async setAside(name: string, why: { readonly code: string; readonly message: string }): Promise<void> {
    await ensurePrivateFolder(this.aside);
    const reason = JSON.stringify({ ...why, at: this.world.now().toISOString() });
    await writeWhole(join(this.aside, `${name}.why`), `${reason}\n`, this.world.randomHex());
    await rename(join(this.folder, name), join(this.aside, name)).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
    await rm(join(this.folder, `${name}.tries`), { force: true });
    const names = await namesIn(this.aside);
    for (const old of names.slice(0, Math.max(0, names.length - MAX_ASIDE))) await this.dropAside(old);
  }

  /** What was set aside, oldest first, with the reason's code. */
  async setAsides(): Promise<{ readonly name: string; readonly code: string; readonly message: string }[]> {
    const found = [];
    for (const name of await namesIn(this.aside)) {
      const text = await readFile(join(this.aside, `${name}.why`), 'utf8').catch(() => '{}');
      const { code, message } = readJson(text);
      found.push({ name, code: String(code ?? 'unknown'), message: String(message ?? '') });
    }
    return found;
  }

  /** Puts what was set aside back where it waits, in its old place. @returns how much it was */
  async retryAsides(): Promise<number> {
    const names = await namesIn(this.aside);
    for (const name of names) {
      await rename(join(this.aside, name), join(this.folder, name));
      await rm(join(this.aside, `${name}.why`), { force: true });
    }
    return names.length;
  }

  /** Forgets what was set aside. @returns how much it was */
  async dropAsides(): Promise<number> {
    const names = await namesIn(this.aside);
    for (const name of names) await this.dropAside(name);
    return names.length;
  }

  /** How many could not be kept because the spool was full or the disk took no more. */
  async lost(): Promise<number> {
    return (await readFile(join(this.folder, 'lost'), 'utf8').catch(() => '')).length;
  }

  /** Removes drafts that a process left which was killed while it wrote. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch((): string[] => []);
    for (const name of names.filter((one) => one.endsWith('.tmp'))) {
      const path = join(this.folder, name);
      const age = await stat(path).then(
        ({ mtimeMs }) => this.world.now().getTime() - mtimeMs,
        () => 0,
      );
      if (age > 60_000) await rm(path, { force: true });
    }
  }

  private async dropAside(name: string): Promise<void> {
    await rm(join(this.aside, name), { force: true });
    await rm(join(this.aside, `${name}.why`), { force: true });
  }

  private async bytesOf(names: readonly string[]): Promise<number> {
    const sizes = await Promise.all(
      names.map(
        (name) =>
          sizeIn(name) ??
          stat(join(this.folder, name)).then(
            ({ size }) => size,
            () => 0,
          ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** A byte for each, so that two at once lose no count and a full disk costs nothing more. */
  private async noteLost(why: 'full' | 'disk'): Promise<void> {
    const file = await open(join(this.folder, 'lost'), 'a', 0o600).catch(() => null);
    await file?.appendFile(why === 'full' ? 'f' : 'd').catch(() => undefined);
    await file?.close();
  }
}

const readJson = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
};
