/** `node apps/worker/dist/healthy-cli.js`: the container's health check. The worker listens on no port. */
import { statSync } from 'node:fs';
import { parseAliveFile } from './config/settings.js';

/** Six missed signs of life. */
const MAX_AGE_MS = 30_000;

try {
  const ageMs = Date.now() - statSync(parseAliveFile(process.env)).mtimeMs;
  process.exitCode = ageMs <= MAX_AGE_MS ? 0 : 1;
} catch {
  process.exitCode = 1;
}
