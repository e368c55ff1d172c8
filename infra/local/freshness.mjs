// Whether what is installed and built still fits the checkout. Contents are compared, not dates: a checkout, a copy or a
// restored cache sets dates as it likes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readJson } from './json-file.mjs';

const SOURCE = /\.(ts|json|prisma)$/;
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', 'coverage', '.git', '.tempera']);
const ROOT_FILES = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'infra/local/build.mjs'];

/**
 * What can be built: the programs that run (all that `npm start` needs), or everything, which is the programs and the
 * tests. Each output belongs to one TypeScript project, so both builds write the same file for the same source.
 */
const PARTS = {
  programs: { rooms: ['libs', 'apps', 'prisma'], skips: /\.test\.ts$/, solution: 'tsconfig.programs.json' },
  everything: { rooms: ['libs', 'apps', 'prisma', 'infra', 'test'], solution: 'tsconfig.json' },
};

/** The TypeScript solution of a part. */
export const solutionOf = (part) => PARTS[part].solution;

const stampOf = (root, part) => join(root, 'dist', `.built-${part}`);

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

/** A digest of all that the build of a part reads. */
export const sourcesDigest = (root, part = 'everything') => {
  const { rooms, skips, solution } = PARTS[part];
  const files = [
    ...rooms.flatMap((room) => sourceFiles(join(root, room))).filter((file) => !skips?.test(file)),
    ...[...ROOT_FILES, solution].map((file) => join(root, file)),
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
export const outputs = (root, part = 'everything') =>
  readJson(join(root, solutionOf(part)), {}).references.map(({ path }) => {
    const { outDir, tsBuildInfoFile } = readJson(join(root, path, 'tsconfig.json'), {}).compilerOptions ?? {};
    // The tests of every room are one project, whose output lies below a folder that is others' too.
    return join(root, path, tsBuildInfoFile ? dirname(tsBuildInfoFile) : (outDir ?? 'dist'));
  });

const isCurrent = (root, part) => {
  const stamp = stampOf(root, part);
  if (!existsSync(stamp) || !outputs(root, part).every((folder) => existsSync(folder))) return false;
  return readFileSync(stamp, 'utf8') === sourcesDigest(root, part);
};

/**
 * Whether a part is there and was made from these sources. Everything is current only where the programs are: they may
 * have been built anew, from other sources, since everything was.
 */
export const isBuilt = (root, part = 'everything') =>
  isCurrent(root, 'programs') && (part === 'programs' || isCurrent(root, part));

const partsOf = (part) => (part === 'everything' ? ['programs', 'everything'] : ['programs']);

/** The digests of what is about to be compiled. Its old stamps go: a build that fails half-way is a build of nothing. */
export const beginBuild = (root, part = 'everything') => {
  for (const name of partsOf(part)) rmSync(stampOf(root, name), { force: true });
  return new Map(partsOf(part).map((name) => [name, sourcesDigest(root, name)]));
};

/** Remembers what the build was made from. */
export const rememberBuild = (root, digests) => {
  for (const [part, digest] of digests) writeFileSync(stampOf(root, part), digest);
};
