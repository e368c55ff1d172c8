import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version of this program, from its package. */
export const VERSION = z.object({ version: z.string() }).parse(manifest).version;
