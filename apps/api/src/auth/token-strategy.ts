import { ExtractJwt, Strategy } from 'passport-jwt';
import { CLOCK_SKEW_SECONDS } from './claims.js';
import { keyForToken } from './verify-header.js';

export interface TokenStrategyOptions<Claims> {
  readonly issuer: string;
  readonly audience: string;
  /** By key id; asked at each token, since keys change. */
  readonly keys: () => ReadonlyMap<string, string>;
  readonly parseClaims: (payload: unknown) => Claims | null;
}

/** The one place a token is taken from; never the address or the body, which end up in logs. */
export const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

const needed = (name: string, value: string): string => {
  // passport-jwt checks issuer and audience only when they are set, so an empty one would switch its check off.
  if (value.trim() === '') throw new Error(`The token check needs ${name}.`);
  return value;
};

/**
 * passport-jwt for one audience: only from the Authorization header, only ES256, issuer and audience always checked.
 * Claims beyond those that the library knows are read by `parseClaims`.
 */
export const tokenStrategy = <Claims extends object>(options: TokenStrategyOptions<Claims>): Strategy =>
  new Strategy(
    {
      jwtFromRequest: bearerToken,
      secretOrKeyProvider: (_request, token: unknown, done) => {
        const key = typeof token === 'string' ? keyForToken(token, options.keys()) : null;
        if (key === null) done(new Error('This is no token of ours.'));
        else done(null, key);
      },
      algorithms: ['ES256'],
      issuer: needed('an issuer', options.issuer),
      audience: needed('an audience', options.audience),
      ignoreExpiration: false,
      jsonWebTokenOptions: { clockTolerance: CLOCK_SKEW_SECONDS, maxAge: '15m' },
    },
    (payload: unknown, done: (error: unknown, claims: Claims | false) => void) =>
      done(null, options.parseClaims(payload) ?? false),
  );
