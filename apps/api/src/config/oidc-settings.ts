import { z } from 'zod';

/** Signing in with another provider (OpenID Connect); absent: it is not offered. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
  readonly clientSecretFile?: string;
  /** What the button says. */
  readonly label: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens and codes travel to the provider: in the clear only within this machine. */
const isSafe = (text: string): boolean => {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isPlain = username === '' && search === '' && hash === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
};

const optional = z.string().trim().max(2_048).default('');

/** The variables; an empty one is one that is not set, as compose writes it. */
export const oidcVariables = {
  OIDC_ISSUER: optional.refine(isSafe, { error: 'is no https address of a provider' }),
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET_FILE: optional,
  OIDC_LABEL: z.string().trim().max(60, 'has more than 60 characters').default(''),
};

type OidcEnvironment = z.output<z.ZodObject<typeof oidcVariables>>;

/** A client without an issuer, or an issuer without a client, is a slip and not a wish to do without. */
export const isWholeOidc = (env: OidcEnvironment): boolean => (env.OIDC_ISSUER === '') === (env.OIDC_CLIENT_ID === '');

export const isSecretOfOidc = (env: OidcEnvironment): boolean =>
  env.OIDC_CLIENT_SECRET_FILE === '' || env.OIDC_ISSUER !== '';

export const oidcSettingsOf = (env: OidcEnvironment): { readonly oidc?: OidcSettings } =>
  env.OIDC_ISSUER === ''
    ? {}
    : {
        oidc: {
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID,
          ...(env.OIDC_CLIENT_SECRET_FILE === '' ? {} : { clientSecretFile: env.OIDC_CLIENT_SECRET_FILE }),
          label: env.OIDC_LABEL === '' ? 'single sign-on' : env.OIDC_LABEL,
        },
      };
