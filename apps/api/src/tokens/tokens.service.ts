import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  type AccessTokenRecord,
  appendAudit,
  type Doors,
  findAccessToken,
  hashSecret,
  insertAccessToken,
  listAccessTokens,
  newPersonalToken,
  personalTokenPrefix,
  revokeAccessToken,
  type TokenScope,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { requireMayEnd } from '../users/require-target.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import type { IssuedToken, IssueTokenInput } from './token.types.js';

const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

const noSuchToken = (): AppError => new AppError('not-found', 'no-such-token', 'No such token.');

const requireDays = (days: number): number => {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new AppError('invalid-input', 'expires-in-days', `\`expiresInDays\` is a whole number from 1 to ${MAX_DAYS}.`);
};

const requireScopes = (scopes: readonly TokenScope[]): TokenScope[] => {
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new AppError('invalid-input', 'scopes', '`scopes` names at least one of READ, WRITE and ADMIN.');
};

/** Personal access tokens: for machines, exchanged for short-lived access tokens. */
@Injectable()
export class TokensService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
    private readonly sessions: SessionCheck,
  ) {}

  /** The caller's tokens, admins all of the tenant's, newest first. */
  async page(caller: Caller, args: PageArgs): Promise<Page<AccessTokenRecord>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'tokens' });
    const [at, id] = request.after ?? [];
    const after = at === undefined || id === undefined ? null : { createdAt: new Date(at), id };
    const rows = await this.doors.asTenant(caller, (tx) =>
      listAccessTokens(tx, caller.tenantId, { after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, (token) => [token.createdAt.toISOString(), token.id]);
  }

  /** @throws AppError `forbidden` when a machine's token asks for another, `invalid-input` */
  async issue(caller: Caller, input: IssueTokenInput): Promise<IssuedToken> {
    const name = requireText(input.name, 'name', 200);
    const days = requireDays(input.expiresInDays);
    const scopes = requireScopes(input.scopes);
    const secret = newPersonalToken();
    const createdAt = this.clock.now();
    const row = {
      id: randomUUID(),
      userId: caller.userId,
      sessionId: randomUUID(),
      name,
      prefix: personalTokenPrefix(secret),
      scopes,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
    };
    await this.doors.asTenant(caller, async (tx) => {
      await requireLogin(tx, caller);
      await insertAccessToken(tx, caller.tenantId, { ...row, tokenHash: hashSecret(secret) });
      await appendAudit(tx, { action: 'token.issued', subjectKind: 'token', subjectId: row.id });
    });
    return { secret, token: { ...row, lastUsedAt: null, revokedAt: null } };
  }

  /**
   * Ends a token and what was exchanged for it. Revoking twice changes nothing.
   * @throws AppError `not-found`; `forbidden` for others' tokens to a machine's token, and above one's own role
   */
  async revoke(caller: Caller, tokenId: string): Promise<AccessTokenRecord> {
    const id = parseUuid(tokenId);
    if (id === null) throw noSuchToken();
    const at = this.clock.now();
    const revoked = await this.doors.asTenant(caller, async (tx) => {
      const token = await findAccessToken(tx, caller.tenantId, id);
      if (token === null) throw noSuchToken();
      if (token.userId !== caller.userId) await requireMayEnd(tx, caller, token.userId);
      if (token.revokedAt !== null) return token;
      await revokeAccessToken(tx, caller.tenantId, token, at);
      await appendAudit(tx, { action: 'token.revoked', subjectKind: 'token', subjectId: id });
      return { ...token, revokedAt: at };
    });
    this.sessions.forget();
    return revoked;
  }
}
