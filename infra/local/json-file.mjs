import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** The object in a JSON file, or `fallback` if there is no such file. */
export const readJson = (file, fallback) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : fallback);

/** Writes a JSON file for its owner only; never half of one. */
export const writeJson = (file, value) => {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(aside, file);
};
