// Whether what is installed and built still fits the checkout. Contents are compared, not dates: a checkout, a copy or a
// restored cache sets dates as it likes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readJson } from './json-file.mjs';

const SOURCE = /\.(ts|json|prisma)$/;
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', 'coverage', '.git', '.tempera']);
const ROOMS = ['libs', 'apps', 'prisma', 'infra', 'test'];
const ROOT_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'infra/local/build.mjs',
];
const STAMP = join('dist', '.built-from');

/** Whether node_modules holds what package-lock.json asks for, by the record npm keeps of what it installed. */
export const isInstalled = (root) => {
  const wanted = readJson(join(root, 'package-lock.json'), {}).packages ?? {};
  const found = readJson(join(root, 'node_modules', '.package-lock.json'), undefined)?.packages;
  if (!found) return false;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    // Optional ones are left out on other platforms; links are this checkout's own rooms.
    if (!path.startsWith('node_modules/') || link) return true;
    const there = found[path];
    return there ? there.version === version : Boolean(optional);
  });
};

const sourceFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_SOURCES.has(entry.name) ? [] : sourceFiles(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });

/** A digest of everything the build reads. */
export const sourcesDigest = (root) => {
  const files = [
    ...ROOMS.flatMap((room) => sourceFiles(join(root, room))),
    ...ROOT_FILES.map((file) => join(root, file)),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
};

/** The folders the build of each room goes to, as its tsconfig says. */
export const outputs = (root) =>
  readJson(join(root, 'tsconfig.json'), {}).references.map(({ path }) => {
    const { compilerOptions } = readJson(join(root, path, 'tsconfig.json'), {});
    return join(root, path, compilerOptions?.outDir ?? 'dist');
  });

/** Whether the build is there and was made from these sources. */
export const isBuilt = (root) => {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp) || !outputs(root).every((folder) => existsSync(folder))) return false;
  return readFileSync(stamp, 'utf8') === sourcesDigest(root);
};

/** Remembers what the build was made from. */
export const rememberBuild = (root, digest) => writeFileSync(join(root, STAMP), digest);
