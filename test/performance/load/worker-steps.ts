import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../support/programs.js';

type Propagate = typeof import('../../../apps/worker/src/nightly/propagate-step.js');
type Snapshot = typeof import('../../../apps/worker/src/nightly/snapshot-step.js');

const built = (file: string): string => pathToFileURL(join(projectRoot, 'apps/worker/dist/nightly', file)).href;

const propagate = (await import(built('propagate-step.js'))) as Propagate;
const snapshot = (await import(built('snapshot-step.js'))) as Snapshot;

/** The steps of a night as the worker has them, from its build: the compiled tests do not lie beside it. */
export const propagateStep: Propagate['propagateStep'] = propagate.propagateStep;
export const snapshotStep: Snapshot['snapshotStep'] = snapshot.snapshotStep;
