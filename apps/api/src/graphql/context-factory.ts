import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { GraphQLError } from 'graphql';
import { notLoggedIn } from '../auth/caller.js';
import { RequestAuthenticator } from '../auth/request-authenticator.js';
import { answerFor } from './format-error.js';
import type { GraphqlContext } from './graphql-context.js';
import { RequestLoaders } from './loaders.js';
import { currentScope } from './request-scope.js';

const HTTP_STATUS: Readonly<Partial<Record<string, number>>> = { UNAUTHENTICATED: 401, UNAVAILABLE: 503 };

/** Makes the context of one request: who asks, and loaders that see with those eyes. */
@Injectable()
export class ContextFactory {
  constructor(private readonly authenticator: RequestAuthenticator) {}

  async create(req: Request): Promise<GraphqlContext> {
    const identity = await this.authenticator.identify(req).catch(refuse);
    const loaders = new RequestLoaders(() => {
      if (identity.caller === undefined) throw notLoggedIn();
      return identity.caller;
    });
    return { req, requestId: currentScope()?.requestId ?? '', loaders, ...identity };
  }
}

/** Apollo takes the HTTP status from the error; what is no refusal of ours is a fault of ours. */
const refuse = (error: unknown): never => {
  const { code, message } = answerFor(error);
  const originalError = error instanceof Error ? error : new Error('Something that is no error was thrown.');
  throw new GraphQLError(message, { originalError, extensions: { code, http: { status: HTTP_STATUS[code] ?? 500 } } });
};
