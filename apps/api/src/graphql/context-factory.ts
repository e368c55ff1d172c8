import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Identified, notLoggedIn } from '../auth/caller.js';
import { RequestAuthenticator } from '../auth/request-authenticator.js';
import type { GraphqlContext } from './graphql-context.js';
import { RequestLoaders } from './loaders.js';
import { inStage } from '../telemetry/stage.js';
import { currentScope } from './request-scope.js';
import { wholeRefusal } from './whole-refusal.js';

/** Makes the context of one request: who asks, and loaders that see with those eyes. */
@Injectable()
export class ContextFactory {
  constructor(private readonly authenticator: RequestAuthenticator) {}

  async create(req: Request): Promise<GraphqlContext> {
    const identity = await inStage('request', 'auth', () => this.authenticator.identify(req)).catch(
      (error: unknown) => {
        throw wholeRefusal(error);
      },
    );
    return this.of(req, identity);
  }

  /** The same for a person who was identified already. */
  of(req: Request, identity: Identified): GraphqlContext {
    const loaders = new RequestLoaders(() => {
      if (identity.caller === undefined) throw notLoggedIn();
      return identity.caller;
    });
    return { req, requestId: currentScope()?.requestId ?? '', loaders, ...identity };
  }
}
