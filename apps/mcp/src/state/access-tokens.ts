import { AppError, isAppError, readField } from '@tempera/client-kit';
import { z } from 'zod';
import { graphqlRequest } from '../graphql/graphql-request.js';
import { EXCHANGE_TOKEN, REFRESH } from '../graphql/operations.js';
import type { World } from '../world.js';
import type { Login, LoginFiles } from './login-file.js';

/** Renewed this long before its end, so that no request travels with a token that ends on the way. */
const RENEW_BEFORE_END_MS = 30_000;

/** The pair that login and refresh give. */
export const sessionShape = z.object({
  accessToken: z.string(),
  accessExpiresAt: z.iso.datetime({ offset: true }),
  refreshToken: z.string(),
  refreshExpiresAt: z.iso.datetime({ offset: true }),
  user: z.object({ id: z.string(), displayName: z.string(), role: z.string() }),
  tenant: z.object({ id: z.string(), name: z.string() }),
});
const grantShape = z.object({ accessToken: z.string(), accessExpiresAt: z.iso.datetime({ offset: true }) });

/**
 * When an access token ends by our own clock. A machine whose clock is wrong would else renew before every request, or
 * never.
 */
export const validUntil = (expiresAt: string, serverTime: Date | null, now: Date): string => {
  if (serverTime === null) return new Date(expiresAt).toISOString();
  return new Date(now.getTime() + new Date(expiresAt).getTime() - serverTime.getTime()).toISOString();
};

const loginAdvice = (command: string): { fix: string; cliFix: string } => {
  const source = 'a one-time code from an admin or from a machine that is logged in';
  return { fix: `The user runs ${command} in a terminal, with ${source}.`, cliFix: `Run ${command} with ${source}.` };
};

/** Said when there is no login, or none that still works. */
export const notLoggedIn = (server?: string): AppError =>
  new AppError(
    'unauthenticated',
    'not-logged-in',
    server === undefined ? 'Not logged in.' : `The login to ${server} has ended.`,
    { details: loginAdvice(`\`tempera login${server === undefined ? '' : ` --server ${server}`}\``) },
  );

/** Access tokens of one login, renewed in silence and shared with every other process of this user. */
export class AccessTokens {
  constructor(
    private readonly files: LoginFiles,
    private readonly key: string,
    private readonly world: World,
  ) {}

  /** A token that is still good. @throws AppError `unauthenticated` when the login has ended */
  async get(): Promise<string> {
    const login = await this.files.read(this.key);
    if (login === null) throw notLoggedIn();
    return this.goodToken(login, null) ?? (await this.renew(null));
  }

  /**
   * Another token than the one the service refused. Under the lock the file is read again first: whoever was quicker has
   * already left a fresh one there.
   */
  renew(refused: string | null): Promise<string> {
    return this.files.locked(this.key, async () => {
      const login = await this.files.read(this.key);
      if (login === null) throw notLoggedIn();
      const meanwhile = this.goodToken(login, refused);
      if (meanwhile !== null) return meanwhile;
      const renewed = await this.ask(login);
      await this.files.write(this.key, renewed);
      return renewed.access?.token ?? '';
    });
  }

  private goodToken(login: Login, refused: string | null): string | null {
    if (login.access === null || login.access.token === refused) return null;
    const left = new Date(login.access.validUntil).getTime() - this.world.now().getTime();
    return left > RENEW_BEFORE_END_MS ? login.access.token : null;
  }

  private async ask(login: Login): Promise<Login> {
    try {
      return login.secret.kind === 'refresh'
        ? await this.refresh(login, login.secret.token)
        : await this.exchange(login, login.secret.token);
    } catch (error) {
      if (isAppError(error) && error.kind === 'unauthenticated') throw notLoggedIn(login.server);
      throw error;
    }
  }

  private async refresh(login: Login, refreshToken: string): Promise<Login> {
    const request = { server: login.server, query: REFRESH, variables: { input: { refreshToken } }, token: null };
    const { data, serverTime } = await graphqlRequest(request, this.world);
    const session = readField(data, 'refresh', sessionShape);
    return {
      ...login,
      secret: { kind: 'refresh', token: session.refreshToken, expiresAt: session.refreshExpiresAt },
      access: {
        token: session.accessToken,
        validUntil: validUntil(session.accessExpiresAt, serverTime, this.world.now()),
      },
    };
  }

  private async exchange(login: Login, token: string): Promise<Login> {
    const request = { server: login.server, query: EXCHANGE_TOKEN, variables: { token }, token: null };
    const { data, serverTime } = await graphqlRequest(request, this.world);
    const grant = readField(data, 'exchangeToken', grantShape);
    return {
      ...login,
      access: { token: grant.accessToken, validUntil: validUntil(grant.accessExpiresAt, serverTime, this.world.now()) },
    };
  }
}
