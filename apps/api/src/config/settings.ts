import { AppError } from '@tempera/client-kit';
import {
  LOG_LEVELS,
  type LogLevel,
  type TelemetrySettings,
  telemetrySettingsOf,
  telemetryVariables,
} from '@tempera/platform';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { isSecretOfOidc, isWholeOidc, type OidcSettings, oidcSettingsOf, oidcVariables } from './oidc-settings.js';

/** Everything the API reads from its surroundings, parsed once. */
export interface Settings extends TelemetrySettings {
  /** `production` turns introspection off and has the database's floor checked. */
  readonly profile: 'local' | 'production';
  readonly databaseAppUrl: string;
  readonly databaseTextUrl: string;
  readonly databaseOperatorUrl: string;
  /** The embedded fallback, whose every login is a superuser; only the role that a door sets can be checked there. */
  readonly isDatabaseEmbedded: boolean;
  readonly host: string;
  readonly port: number;
  /** The address that clients use, without a slash at its end. */
  readonly publicUrl: string;
  readonly tokenIssuer: string;
  readonly tokenAudience: string;
  readonly signingKeysFile: string;
  /** A folder with encoders; absent: the service runs without vectors until one is named. */
  readonly embeddingModelDir?: string;
  readonly logLevel: LogLevel;
  /** Proxies whose word is taken for a client's address; empty: nobody's, the address is the connection's peer. */
  readonly trustedProxies: readonly string[];
  /** Accounts and secrets that were tried wrongly from one address before it has to wait. */
  readonly attemptsPerAddress: number;
  /** Requests that are worked on at once; others wait for their turn. */
  readonly requestsAtOnce: number;
  /** How long a balancer is given to see that the program is about to stop, before its connections are closed. */
  readonly drainNoticeMs: number;
  /** Absent: signing in with another provider is not offered. */
  readonly oidc?: OidcSettings;
}

/** Names that express knows for ranges of addresses. */
const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isNetwork = (text: string): boolean => {
  if (RANGES.has(text)) return true;
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 && bits > 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits))
  );
};

const networks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((parts) => parts.every(isNetwork), { error: 'is no list of addresses, networks (10.0.0.0/8) or loopback' });

const databaseUrl = z.string({ error: 'is not set' }).regex(/^postgres(ql)?:\/\/\S+$/, 'is no postgresql:// address');
const attempts = z.coerce
  .number('is no number')
  .int('is no whole number')
  .min(1, 'is below 1')
  .max(1_000_000, 'is above 1000000')
  .default(300);
/** As many as there are connections, so that nothing waits for one with its work half done. */
const MAX_REQUESTS_AT_ONCE = 10;
/** Two for each processor keep all of them busy, two more keep nobody waiting for a disk; more only wait for each other, where a tenant that comes finds them. */
const requestsThatFit = (): number => Math.min(MAX_REQUESTS_AT_ONCE, 2 + 2 * availableParallelism());
/** A pod's grace holds this, its preStop and what is in flight. */
const MAX_DRAIN_NOTICE_SECONDS = 20;
const drainNotice = z.coerce
  .number('is no number')
  .min(0, 'is below 0')
  .max(MAX_DRAIN_NOTICE_SECONDS, `is above ${MAX_DRAIN_NOTICE_SECONDS}`)
  .optional();
/** Long enough for a balancer of production (docs/design.md D2); nobody waits for one at home. */
const DRAIN_NOTICE_SECONDS = { local: 0, production: 5 } as const;
const requestsAtOnce = z.coerce
  .number('is no number')
  .int('is no whole number')
  .min(2, 'is below 2')
  .max(MAX_REQUESTS_AT_ONCE, `is above ${MAX_REQUESTS_AT_ONCE}`)
  .optional();
// An empty value is a variable somebody forgot to fill; for the token checks it must never mean "do not check".
const needed = z.string({ error: 'is not set' }).trim().min(1, 'is empty').max(2048);

const unlessEmpty = (text: unknown): unknown => (text === '' ? undefined : text);

/** The environment of the API; its keys are the names that compose and the launcher set. */
export const environmentSchema = z
  .object({
    TEMPERA_PROFILE: z.enum(['local', 'production'], { error: 'is neither local nor production' }).default('local'),
    DATABASE_APP_URL: databaseUrl,
    DATABASE_TEXT_URL: databaseUrl,
    DATABASE_OPERATOR_URL: databaseUrl,
    DATABASE_EMBEDDED: z.enum(['pglite'], { error: 'is not pglite' }).optional(),
    API_HOST: z.string().trim().min(1, 'is empty').default('127.0.0.1'),
    API_PORT: z.coerce
      .number('is no number')
      .int('is no whole number')
      .min(0, 'is below 0')
      .max(65535, 'is above 65535')
      .default(4747),
    PUBLIC_URL: z.url('is no address').optional(),
    TOKEN_ISSUER: needed,
    TOKEN_AUDIENCE: needed,
    SIGNING_KEYS_FILE: needed,
    EMBEDDING_MODEL_DIR: z.string().trim().optional(),
    TRUSTED_PROXIES: networks,
    // Empty, as compose writes what is not set.
    ATTEMPTS_PER_ADDRESS: z.preprocess(unlessEmpty, attempts),
    REQUESTS_AT_ONCE: z.preprocess(unlessEmpty, requestsAtOnce),
    DRAIN_NOTICE_SECONDS: z.preprocess(unlessEmpty, drainNotice),
    ...oidcVariables,
    ...telemetryVariables,
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `is none of ${LOG_LEVELS.join(', ')}` }).default('info'),
  })
  .refine((env) => env.TEMPERA_PROFILE !== 'production' || env.DATABASE_EMBEDDED === undefined, {
    path: ['DATABASE_EMBEDDED'],
    error: 'is for a first look only, not for the production profile',
  })
  .refine(isWholeOidc, { path: ['OIDC_ISSUER'], error: 'and OIDC_CLIENT_ID are set together, or neither' })
  .refine(isSecretOfOidc, { path: ['OIDC_CLIENT_SECRET_FILE'], error: 'is of no use without OIDC_ISSUER' });

const refuse = (issues: readonly z.core.$ZodIssue[]): AppError => {
  const names = issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  return new AppError('invalid-input', 'setting-invalid', `The API cannot start: ${names.join('; ')}.`);
};

/**
 * Parses the environment.
 * @throws AppError `invalid-input` that names every variable that is missing or wrong
 */
export const parseSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) throw refuse(parsed.error.issues);
  const env = parsed.data;
  return {
    profile: env.TEMPERA_PROFILE,
    databaseAppUrl: env.DATABASE_APP_URL,
    databaseTextUrl: env.DATABASE_TEXT_URL,
    databaseOperatorUrl: env.DATABASE_OPERATOR_URL,
    isDatabaseEmbedded: env.DATABASE_EMBEDDED !== undefined,
    host: env.API_HOST,
    port: env.API_PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://${env.API_HOST}:${env.API_PORT}`).replace(/\/+$/, ''),
    tokenIssuer: env.TOKEN_ISSUER,
    tokenAudience: env.TOKEN_AUDIENCE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    ...(env.EMBEDDING_MODEL_DIR ? { embeddingModelDir: env.EMBEDDING_MODEL_DIR } : {}),
    logLevel: env.LOG_LEVEL,
    trustedProxies: env.TRUSTED_PROXIES,
    attemptsPerAddress: env.ATTEMPTS_PER_ADDRESS,
    requestsAtOnce: env.REQUESTS_AT_ONCE ?? requestsThatFit(),
    drainNoticeMs: (env.DRAIN_NOTICE_SECONDS ?? DRAIN_NOTICE_SECONDS[env.TEMPERA_PROFILE]) * 1_000,
    ...oidcSettingsOf(env),
    ...telemetrySettingsOf(env),
  };
};
