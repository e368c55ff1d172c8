import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { projectRoot } from './paths.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tempera-help-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.each(['infra/local/run-built.mjs', 'test/runner/with-parts.mjs'])(
  '%s hands --help to what is compiled, with neither build nor servers',
  (runner) => {
    const script = join(folder, 'told.mjs');
    writeFileSync(
      script,
      "console.log([...process.argv.slice(2), process.env['TEST_ADMIN_URL'] ?? 'no server'].join(' '));",
    );
    // What a runner starts servers by is not there: it would fail if it began.
    const env = { PATH: '/nowhere', HOME: folder };
    const words = [join(projectRoot, runner), relative(projectRoot, script), '--help'];
    const ran = spawnSync(process.execPath, words, { env, encoding: 'utf8', timeout: 15_000 });
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '--help no server\n', '']);
  },
);
