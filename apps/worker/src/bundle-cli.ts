/** `node apps/worker/dist/bundle-cli.js`: fails when the workflows cannot be bundled for the engine's sandbox. */
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from './workflow-bundle.js';

try {
  const { code } = await bundleWorkflows({ logger: new DefaultLogger('WARN') });
  process.stdout.write(`workflows: bundled, ${Math.round(code.length / 1024)} KiB\n`);
} catch (error) {
  process.stderr.write(`workflows: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
