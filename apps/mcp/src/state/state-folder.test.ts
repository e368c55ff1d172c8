import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensurePrivateFolder } from './state-folder.js';

describe('the state folder', () => {
  it('is made with its parents, for its user alone', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tempera-state-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const path = join(root, 'a', 'b');
    await Promise.all([ensurePrivateFolder(path), ensurePrivateFolder(path)]);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform === 'linux')('is refused, not tried for ever, where nothing can be made', async () => {
    await expect(ensurePrivateFolder('/proc/tempera/state')).rejects.toMatchObject({ code: 'state-folder-unwritable' });
  });
});
