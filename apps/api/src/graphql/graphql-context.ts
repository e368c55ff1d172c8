import type { Request } from 'express';
import type { Identified } from '../auth/caller.js';
import type { RequestLoaders } from './loaders.js';

/** What every resolver of one request shares. */
export interface GraphqlContext extends Identified {
  readonly req: Request;
  readonly requestId: string;
  readonly loaders: RequestLoaders;
}
