import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { matrixPage } from './auth/operation-matrix.js';

/** Writes docs/role-matrix.md, or prints it with `--print`. */
if (process.argv.includes('--print')) process.stdout.write(matrixPage());
else writeFileSync(fileURLToPath(new URL('../../../docs/role-matrix.md', import.meta.url)), matrixPage());
