import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { takeBackup, type BackupOptions } from './dump.js';
import { type Manifest, MANIFEST_FILE, readManifest } from './manifest.js';

/** Backups that lie side by side in a folder, each in one named by its moment, and how many of them are kept. */
export interface Rotation extends Omit<BackupOptions, 'folder'> {
  readonly into: string;
  readonly keep: number;
}

export interface Rotated {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly removed: readonly string[];
}

const NAME = /^\d{4}-\d{2}-\d{2}T\d{6}Z$/;
/** What a run that was cut off left is taken away after this; before, another run may still be at it. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

const nameOf = (at: Date): string =>
  at
    .toISOString()
    .replaceAll(':', '')
    .replace(/\.\d+Z$/, 'Z');

const momentOf = (name: string): number =>
  Date.parse(
    name.replace(/T(\d\d)(\d\d)(\d\d)Z$/, (_all, hours, minutes, seconds) => `T${hours}:${minutes}:${seconds}Z`),
  );

/**
 * Takes a backup into a folder of its own, and takes away what is older than the newest so many. Only then: where the backup fails,
 * nothing goes.
 * @throws Error where the folder is not there (a disk that is not mounted), or the backup ends badly
 */
export const takeInto = async ({ into, keep, ...options }: Rotation, now: Date): Promise<Rotated> => {
  await mustBeThere(into);
  const folder = join(into, nameOf(now));
  const manifest = await takeBackup({ ...options, folder });
  return { folder, manifest, removed: await removeOlder(into, keep, now) };
};

/** When the newest whole backup was taken; null where there is none. */
export const newestIn = async (into: string): Promise<Date | null> => {
  await mustBeThere(into);
  const { whole } = await lookInto(into);
  const name = whole.at(-1);
  return name === undefined ? null : new Date((await readManifest(join(into, name))).takenAt);
};

const mustBeThere = async (into: string): Promise<void> => {
  const found = await stat(into).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`${into} is no folder: mount what backups are kept on first.`);
};

/** What lies there under a moment's name, oldest first; anything else is not ours. */
const lookInto = async (into: string): Promise<{ whole: string[]; unfinished: string[] }> => {
  const whole: string[] = [];
  const unfinished: string[] = [];
  for (const name of (await readdir(into)).filter((entry) => NAME.test(entry)).sort()) {
    if (!(await hasManifest(join(into, name)))) unfinished.push(name);
    // One that cannot be read is for a person to look at, and is not counted.
    else if (await isReadable(join(into, name))) whole.push(name);
  }
  return { whole, unfinished };
};

const hasManifest = (folder: string): Promise<boolean> =>
  stat(join(folder, MANIFEST_FILE)).then(
    () => true,
    (error: unknown) => Reflect.get(Object(error), 'code') !== 'ENOENT',
  );

const isReadable = (folder: string): Promise<boolean> =>
  readManifest(folder).then(
    () => true,
    () => false,
  );

const removeOlder = async (into: string, keep: number, now: Date): Promise<string[]> => {
  const { whole, unfinished } = await lookInto(into);
  const leftBehind = unfinished.filter((name) => momentOf(name) < now.getTime() - LEFT_BEHIND_MS);
  const removed = [...whole.slice(0, -keep), ...leftBehind];
  for (const name of removed) await rm(join(into, name), { recursive: true });
  return removed;
};
