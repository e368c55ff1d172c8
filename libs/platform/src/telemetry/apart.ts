import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { withRequestId } from './request-id.js';

/** For work of the program's own, which goes on when the request that woke it has ended: it has a name, and no trace of another. */
export const apart = <T>(name: string, work: () => T): T => context.with(ROOT_CONTEXT, () => withRequestId(name, work));
