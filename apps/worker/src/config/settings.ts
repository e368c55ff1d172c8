import { AppError } from '@tempera/client-kit';
import {
  LOG_LEVELS,
  type LogLevel,
  type TelemetrySettings,
  telemetrySettingsOf,
  telemetryVariables,
} from '@tempera/platform';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  isTlsKept,
  isWholeCertificate,
  type TemporalSettings,
  temporalSettingsOf,
  temporalVariables,
} from './temporal-settings.js';

/** Everything the worker reads from its surroundings, parsed once. */
export interface Settings extends TelemetrySettings {
  /** `production` has the database's floor checked. */
  readonly profile: 'local' | 'production';
  readonly databaseWorkerUrl: string;
  /** For work that a person asked for, which is done in that person's name. */
  readonly databaseAppUrl: string;
  /** For the steps that compare texts. */
  readonly databaseTextUrl: string;
  /** PGlite, whose every login is a superuser: only the role that a door sets can be checked. Never in production. */
  readonly isDatabaseEmbedded: boolean;
  readonly temporal: TemporalSettings;
  /** Touched while the worker lives; the container's health check reads its age. */
  readonly aliveFile: string;
  readonly logLevel: LogLevel;
}

const databaseUrl = z.string({ error: 'is not set' }).regex(/^postgres(ql)?:\/\/\S+$/, 'is no postgresql:// address');

const aliveFile = z.string().trim().min(1, 'is empty').default(join(tmpdir(), 'tempera-worker.alive'));

/** The environment of the worker; its keys are the names that compose and the launcher set. */
export const environmentSchema = z
  .object({
    TEMPERA_PROFILE: z.enum(['local', 'production'], { error: 'is neither local nor production' }).default('local'),
    DATABASE_WORKER_URL: databaseUrl,
    DATABASE_APP_URL: databaseUrl,
    DATABASE_TEXT_URL: databaseUrl,
    DATABASE_EMBEDDED: z.enum(['pglite'], { error: 'is not pglite' }).optional(),
    ...temporalVariables,
    WORKER_ALIVE_FILE: aliveFile,
    ...telemetryVariables,
    LOG_LEVEL: z.enum(LOG_LEVELS, { error: `is none of ${LOG_LEVELS.join(', ')}` }).default('info'),
  })
  .refine((env) => env.TEMPERA_PROFILE !== 'production' || env.DATABASE_EMBEDDED === undefined, {
    path: ['DATABASE_EMBEDDED'],
    message: 'is not for production',
  })
  .refine(isWholeCertificate, {
    path: ['TEMPORAL_TLS_CERT_FILE'],
    error: 'and TEMPORAL_TLS_KEY_FILE are set together, or neither',
  })
  .refine(isTlsKept, {
    path: ['TEMPORAL_TLS'],
    error: 'is off, but a certificate, a server name or an API key is set',
  });

/**
 * Parses the environment.
 * @throws AppError `invalid-input` that names every variable that is missing or wrong
 */
export const parseSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new AppError('invalid-input', 'setting-invalid', `The worker cannot start: ${names.join('; ')}.`);
  }
  const env = parsed.data;
  return {
    profile: env.TEMPERA_PROFILE,
    databaseWorkerUrl: env.DATABASE_WORKER_URL,
    databaseAppUrl: env.DATABASE_APP_URL,
    databaseTextUrl: env.DATABASE_TEXT_URL,
    isDatabaseEmbedded: env.DATABASE_EMBEDDED !== undefined,
    temporal: temporalSettingsOf(env),
    aliveFile: env.WORKER_ALIVE_FILE,
    logLevel: env.LOG_LEVEL,
    ...telemetrySettingsOf(env),
  };
};

/** Where the health check looks; no other setting is needed for that. */
export const parseAliveFile = (environment: Readonly<Record<string, string | undefined>>): string =>
  aliveFile.parse(environment['WORKER_ALIVE_FILE']);
