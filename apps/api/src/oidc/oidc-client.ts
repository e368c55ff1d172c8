import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { type Logger, type ProviderIdentity, readPrivateFile } from '@tempera/platform';
import * as oidc from 'openid-client';
import type { OidcSettings } from '../config/oidc-settings.js';
import type { Settings } from '../config/settings.js';
import { type Clock, CLOCK, LOGGER, SETTINGS } from '../platform/platform.tokens.js';

const TIMEOUT_SECONDS = 5;
/** How long what a provider says of itself is believed. */
const METADATA_LIFE_MS = 3_600_000;
const MAX_SUBJECT_LENGTH = 255;

/** What ties a provider's answer to the question; each is checked. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const offline = (cause: unknown): AppError =>
  new AppError('unavailable', 'provider-unreachable', 'The sign-in provider does not answer right now.', { cause });

/** Whether the network failed, rather than a check of an answer. */
const isOffline = (error: unknown): boolean => {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined);
};

/** Asks one provider who somebody is: authorisation code, PKCE, state and nonce. It asks for nothing but the identity. */
@Injectable()
export class OidcClient {
  private readonly settings: OidcSettings | undefined;
  private readonly secret: string | undefined;
  private readonly redirectUri: string;
  private known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | undefined;

  constructor(
    @Inject(SETTINGS) { oidc: settings, publicUrl }: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.settings = settings;
    this.redirectUri = `${publicUrl}/auth/oidc/callback`;
    if (settings?.clientSecretFile === undefined) return;
    const file = { path: settings.clientSecretFile, what: 'file of OIDC_CLIENT_SECRET_FILE', code: 'oidc-secret' };
    this.secret = readPrivateFile({ ...file, advice: 'write the secret of the client into it' }).trim();
  }

  /** What the button says; null where there is no provider. */
  get label(): string | null {
    return this.settings?.label ?? null;
  }

  /** Where the browser goes to be asked who it is. @throws AppError `not-found`, `unavailable` */
  async address({ state, nonce, verifier }: OidcChecks): Promise<string> {
    const configuration = await this.configuration();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      response_type: 'code',
      // No e-mail address is asked for: an account is never found by one.
      scope: 'openid',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /**
   * Who the provider says it was.
   * @param search the query that the browser brought back
   * @throws AppError `unauthenticated` for an answer that does not hold, `unavailable`
   */
  async identify(search: string, { state, nonce, verifier }: OidcChecks): Promise<ProviderIdentity> {
    const configuration = await this.configuration();
    const answer = new URL(`${this.redirectUri}${search}`);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    };
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, checks).catch((error: unknown) => {
      throw this.refusal(error);
    });
    const claims = tokens.claims();
    if (claims === undefined || claims.sub === '' || claims.sub.length > MAX_SUBJECT_LENGTH) throw refused();
    return { issuer: claims.iss, subject: claims.sub };
  }

  private refusal(error: unknown): AppError {
    if (isOffline(error)) return offline(error);
    if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
      return new AppError('unauthenticated', 'provider-denied', 'The sign-in was cancelled at the provider.');
    }
    // Its message may quote a token; the code says which check failed.
    this.logger.warn({ reason: error instanceof Error ? Reflect.get(error, 'code') : 'unknown' }, 'sign-in refused');
    return refused();
  }

  private configuration(): Promise<oidc.Configuration> {
    const { settings } = this;
    if (settings === undefined) throw new AppError('not-found', 'oidc-off', 'No other sign-in is offered here.');
    const now = this.clock.now().getTime();
    if (this.known !== undefined && this.known.until > now) return this.known.configuration;
    const configuration = discover(settings, this.secret).catch((error: unknown) => {
      this.known = undefined;
      throw offline(error);
    });
    this.known = { configuration, until: now + METADATA_LIFE_MS };
    return configuration;
  }
}

const refused = (): AppError =>
  new AppError('unauthenticated', 'provider-refused', 'The answer of the sign-in provider does not hold; start again.');

const discover = (settings: OidcSettings, secret: string | undefined): Promise<oidc.Configuration> => {
  const issuer = new URL(settings.issuer);
  // The settings let plain http through for the loopback address alone.
  const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret);
  return oidc.discovery(issuer, settings.clientId, {}, authentication, { execute, timeout: TIMEOUT_SECONDS });
};
