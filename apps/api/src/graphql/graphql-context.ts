import type { Request } from 'express';
import type { Caller, OperatorCaller } from '../auth/caller.js';
import type { RequestLoaders } from './loaders.js';

/** What every resolver of one request shares. */
export interface GraphqlContext {
  readonly req: Request;
  readonly requestId: string;
  /** Absent: no token, or an operator's. */
  readonly caller?: Caller;
  readonly operator?: OperatorCaller;
  readonly loaders: RequestLoaders;
}
