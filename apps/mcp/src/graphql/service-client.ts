import { type AppError, type GraphqlAsker, isAppError, readField } from '@tempera/client-kit';
import type { z } from 'zod';
import { AccessTokens, notLoggedIn } from '../state/access-tokens.js';
import type { LoginFiles } from '../state/login-file.js';
import type { World } from '../world.js';
import { graphqlRequest } from './graphql-request.js';

/** Speaks to one service as one login: adds the token, renews it once when the service refuses it. */
export class ServiceClient implements GraphqlAsker {
  private readonly tokens: AccessTokens;

  constructor(
    private readonly files: LoginFiles,
    private readonly key: string,
    private readonly world: World,
  ) {
    this.tokens = new AccessTokens(files, key, world);
  }

  /**
   * Sends an operation and reads one field of the answer.
   *
   * @param mayRepeat whether it may be sent again when nothing came back: only what changes nothing, or carries an
   * idempotency key
   */
  async ask<Shape extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    field: string,
    shape: Shape,
    mayRepeat: boolean,
  ): Promise<z.output<Shape>> {
    try {
      return await this.askOnce(query, variables, field, shape);
    } catch (error) {
      if (!mayRepeat || !isAppError(error) || error.code !== 'server-unreachable') throw error;
      return this.askOnce(query, variables, field, shape);
    }
  }

  private async askOnce<Shape extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    field: string,
    shape: Shape,
  ): Promise<z.output<Shape>> {
    const login = await this.files.read(this.key);
    if (login === null) throw notLoggedIn();
    const { server } = login;
    const token = await this.tokens.get();
    try {
      const { data } = await graphqlRequest({ server, query, variables, token }, this.world);
      return readField(data, field, shape);
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'unauthenticated') throw error;
      const fresh = await this.tokens.renew(token);
      const { data } = await graphqlRequest({ server, query, variables, token: fresh }, this.world).catch(
        (again: unknown) => {
          const isRefused = isAppError(again) && again.kind === 'unauthenticated';
          throw isRefused ? notLoggedIn(server) : (again as AppError);
        },
      );
      return readField(data, field, shape);
    }
  }
}
