import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printApiSchema } from './print-schema.js';

/** Writes the schema that the code makes over `apps/api/schema.graphql`, or to standard output with `--print`. */
const text = await printApiSchema();
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(fileURLToPath(new URL('../schema.graphql', import.meta.url)), text);
