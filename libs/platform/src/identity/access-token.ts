import type { TenantId, UserId } from '@tempera/core';
import { SignJWT } from 'jose';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { currentSigningKey, type KeySet, type SigningKey, signingKeysOf } from './key-set.js';

/** Ten minutes: how long a stolen access token is of use where the session check cannot be reached. */
export const ACCESS_LIFE_SECONDS = 600;
/** `typ` of every access token (RFC 9068), so that no other JWT passes for one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** For whom an access token of a person is made. Roles are not in it: the database says them at each request. */
export interface AccessSubject {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** The login session, which can be ended at any time. */
  readonly sessionId: string;
  /** The refresh token's generation that it was issued with; its first use shows that the reply arrived. */
  readonly generation: number;
}

export interface IssuedAccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface AccessTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: KeySet;
}

/** The audience of operators' tokens, so that neither sort is ever accepted for the other. */
export const operatorAudience = (audience: string): string => `${audience}/operator`;

/** The audience of tokens for the MCP endpoint (RFC 8707): its own address, so that they open nothing else. */
export const mcpAudience = (publicUrl: string): string => `${publicUrl}/mcp`;

const sign = async (
  { issuer, audience, keys }: AccessTokenOptions,
  claims: Record<string, unknown> & { readonly sub: string; readonly jti: string },
  now: Date,
): Promise<IssuedAccessToken> => {
  const key = currentSigningKey(keys);
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expires = issuedAt + ACCESS_LIFE_SECONDS;
  const token = await new SignJWT({ iss: issuer, aud: audience, ...claims, iat: issuedAt, exp: expires })
    .setProtectedHeader({ alg: 'ES256', typ: ACCESS_TOKEN_TYPE, kid: key.kid })
    .sign(createPrivateKey({ key, format: 'jwk' }));
  return { token, expiresAt: new Date(expires * 1000) };
};

/** An access token for a person: ES256, ten minutes. */
export const issueAccessToken = (
  options: AccessTokenOptions,
  { tenantId, userId, sessionId, generation }: AccessSubject,
  jti: string,
  now: Date,
): Promise<IssuedAccessToken> =>
  sign(options, { sub: userId, tid: tenantId, sid: sessionId, gen: generation, jti }, now);

/** An access token for an operator, with an audience of its own and no tenant. */
export const issueOperatorToken = (
  options: AccessTokenOptions,
  operatorId: string,
  jti: string,
  now: Date,
): Promise<IssuedAccessToken> =>
  sign({ ...options, audience: operatorAudience(options.audience) }, { sub: operatorId, jti }, now);

const publicPem = ({ kty, crv, x, y }: SigningKey): string =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

/** The public keys a token may be signed with, as PEM, by key id. */
export const verificationKeys = (keys: KeySet): ReadonlyMap<string, string> =>
  new Map(signingKeysOf(keys).map((key) => [key.kid, publicPem(key)]));
