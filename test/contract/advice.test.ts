import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../apps/mcp/src/program.js';
import { makeStubWorld } from '../../apps/mcp/src/testing/stub-world.js';

const advice = readFileSync(new URL('../../apps/api/src/status/advice.ts', import.meta.url), 'utf8');

describe('the advice of a status', () => {
  it('names commands that there are', async () => {
    const named = [...advice.matchAll(/\\?`tempera ([a-z -]+?)(?: [A-Z]+| --[^`]*|\$\{\w+\})*\\?`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(new Set(named).size).toBeGreaterThanOrEqual(6);
    for (const command of new Set(named)) {
      const { world, out, remove } = await makeStubWorld();
      const exitCode = await runProgram([...command.split(' '), '--help'], world, { on: () => undefined });
      const usage = out().split('\n')[0] ?? '';
      await remove();
      const [first] = command.split(' ');
      expect([command, exitCode, usage]).toEqual([command, 0, expect.stringContaining(`Usage: tempera ${first}`)]);
    }
  });
});
