import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withTables } from './auth/operation-matrix.js';

/** Writes the tables of docs/tenancy.md anew, or prints the page with `--print`. */
const path = fileURLToPath(new URL('../../../docs/tenancy.md', import.meta.url));
const page = withTables(readFileSync(path, 'utf8'));
if (process.argv.includes('--print')) process.stdout.write(page);
else writeFileSync(path, page);
