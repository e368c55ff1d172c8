import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleFromSource } from '../workflows/support/engine.js';

describe('the workflows', () => {
  it('can be bundled for the sandbox of the workflow engine', async () => {
    expect(await bundleFromSource()).toHaveProperty('code');
  });

  it('cannot be bundled once one reaches for a module of Node', async () => {
    const slip = fileURLToPath(new URL('../workflows/sabotage/node-module.ts', import.meta.url));
    await expect(bundleFromSource(slip)).rejects.toThrow(/Webpack finished with errors|disallowed modules/);
  });
});
