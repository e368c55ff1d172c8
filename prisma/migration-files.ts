import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One migration on disk. */
export interface MigrationFile {
  /** The folder's name, which is also its place in the order. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in hex, as `prisma migrate deploy` computes it. */
  readonly checksum: string;
}

/** This folder in the sources: the compiled file lies two levels down, in `dist/prisma`. */
const beside = (name: string): string => {
  const here = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(here) ? here : fileURLToPath(new URL(`../../prisma/${name}`, import.meta.url));
};

/** Where the migrations lie unless told otherwise. */
export const migrationsDirectory = (): string => beside('migrations');

/** The statements a superuser runs before the first migration. */
export const bootstrapSql = (): string => readFileSync(beside('bootstrap.sql'), 'utf8');

/** Reads the migrations of a folder, in order. */
export const readMigrations = (directory: string): MigrationFile[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(directory, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    });
