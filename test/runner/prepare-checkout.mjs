// From a bare clone to a built checkout.
import { join } from 'node:path';
import { makeFolder, projectRoot } from '../../infra/local/paths.mjs';
import { buildRooms, installPackages } from '../../infra/local/prepare.mjs';

/** Where logs of the test's servers go; below dist, so that git does not see them. */
export const testLogs = () => makeFolder(join(projectRoot, 'dist', 'test-logs'), { setting: 'TMPDIR', mode: 0o700 });

/** Installs and builds what is not there or does not fit the sources; one step for the table. */
export const prepareCheckout = async ({ logs, progress, installed }) => {
  const began = performance.now();
  await installed;
  await buildRooms({ logs, progress });
  return { name: 'build', passed: 1, failed: 0, skipped: 0, seconds: (performance.now() - began) / 1000 };
};

export { installPackages };
