import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { printApiSchema } from '../../apps/api/src/print-schema.js';

it('the committed schema is the one the code makes (else run node apps/api/dist/schema-cli.js)', async () => {
  const committed = await readFile(new URL('../../apps/api/schema.graphql', import.meta.url), 'utf8');
  expect(committed).toBe(await printApiSchema());
});
