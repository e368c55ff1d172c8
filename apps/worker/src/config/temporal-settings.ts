import { z } from 'zod';

/** How the workflow engine is reached, and as whom. */
export interface TemporalSettings {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Absent: in the clear, which is for an engine within one's own network. */
  readonly tls?: TemporalTlsSettings;
  /** A file with the key of a service account; sent only over TLS. */
  readonly apiKeyFile?: string;
}

/** Certificates are files; absent ones are the machine's own authorities, or no certificate of ours. */
export interface TemporalTlsSettings {
  readonly caFile?: string;
  readonly serverName?: string;
  readonly client?: { readonly certFile: string; readonly keyFile: string };
}

const optional = z.string().trim().max(4_096).default('');

/** The variables; an empty one is one that is not set, as compose writes it. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: z.string({ error: 'is not set' }).regex(/^\S+:\d{1,5}$/, 'is no host:port'),
  TEMPORAL_NAMESPACE: z.string().trim().min(1, 'is empty').default('default'),
  TEMPORAL_TASK_QUEUE: z.string().trim().min(1, 'is empty').default('tempera'),
  TEMPORAL_TLS: z.enum(['', 'on', 'off'], { error: 'is neither on nor off' }).default(''),
  TEMPORAL_TLS_CA_FILE: optional,
  TEMPORAL_TLS_CERT_FILE: optional,
  TEMPORAL_TLS_KEY_FILE: optional,
  TEMPORAL_TLS_SERVER_NAME: optional,
  TEMPORAL_API_KEY_FILE: optional,
};

type TemporalEnvironment = z.output<z.ZodObject<typeof temporalVariables>>;

const ONLY_WITH_TLS = [
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY_FILE',
] as const;

/** A certificate without its key proves nothing. */
export const isWholeCertificate = (env: TemporalEnvironment): boolean =>
  (env.TEMPORAL_TLS_CERT_FILE === '') === (env.TEMPORAL_TLS_KEY_FILE === '');

/** What is secret, or made for TLS, never goes over a connection that says it is in the clear. */
export const isTlsKept = (env: TemporalEnvironment): boolean =>
  env.TEMPORAL_TLS !== 'off' || ONLY_WITH_TLS.every((name) => env[name] === '');

const tlsOf = (env: TemporalEnvironment): TemporalTlsSettings => ({
  ...(env.TEMPORAL_TLS_CA_FILE === '' ? {} : { caFile: env.TEMPORAL_TLS_CA_FILE }),
  ...(env.TEMPORAL_TLS_SERVER_NAME === '' ? {} : { serverName: env.TEMPORAL_TLS_SERVER_NAME }),
  ...(env.TEMPORAL_TLS_CERT_FILE === ''
    ? {}
    : { client: { certFile: env.TEMPORAL_TLS_CERT_FILE, keyFile: env.TEMPORAL_TLS_KEY_FILE } }),
});

export const temporalSettingsOf = (env: TemporalEnvironment): TemporalSettings => {
  const isEncrypted = env.TEMPORAL_TLS === 'on' || ONLY_WITH_TLS.some((name) => env[name] !== '');
  return {
    address: env.TEMPORAL_ADDRESS,
    namespace: env.TEMPORAL_NAMESPACE,
    taskQueue: env.TEMPORAL_TASK_QUEUE,
    ...(isEncrypted ? { tls: tlsOf(env) } : {}),
    ...(env.TEMPORAL_API_KEY_FILE === '' ? {} : { apiKeyFile: env.TEMPORAL_API_KEY_FILE }),
  };
};
