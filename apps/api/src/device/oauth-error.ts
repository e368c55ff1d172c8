/** The words of OAuth for what a token request comes to (RFC 6749, 5.2; RFC 8628, 3.5). */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

/** A refusal in OAuth's form. */
export class OauthError extends Error {
  constructor(
    readonly code: OauthErrorCode,
    message: string,
  ) {
    super(message);
  }
}
