// What each program is told: its own settings, and of the database only the doors it opens.
import { networkInterfaces } from 'node:os';
import { parsePort } from './ports.mjs';

const LOCAL_PORT = '4747';
const EVERYWHERE = new Set(['0.0.0.0', '::']);
const SECRETS = /^(DATABASE_|PG|TEMPERA_ROLES_FILE$)/;

const urlOf = (host, port) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The API's address, from the settings. */
export const apiAddress = (env) => {
  const host = env.API_HOST || '127.0.0.1';
  const port = parsePort(env.API_PORT || LOCAL_PORT, 'API_PORT');
  const url = urlOf(EVERYWHERE.has(host) ? '127.0.0.1' : host, port);
  // Without a slash at its end: the audience of a token is this and /graphql, compared as text.
  return { host, port, url, publicUrl: (env.PUBLIC_URL || url).replace(/\/+$/, '') };
};

/**
 * What a person should know about who else reaches the API: nothing where it listens on this machine alone.
 * @param {{host: string, port: number}} address
 * @param {ReturnType<typeof networkInterfaces>} [interfaces]
 */
export const whoReaches = ({ host, port }, interfaces = networkInterfaces()) => {
  if (/^(127\.|localhost$|::1$)/.test(host)) return undefined;
  const others = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .filter(({ address }) => !address.startsWith('fe80:'))
    .map(({ address }) => `${urlOf(address, port)}/graphql`);
  const at = EVERYWHERE.has(host) ? others : [`${urlOf(host, port)}/graphql`];
  return (
    `It listens on ${host}: every machine that reaches this one can ask it${at.length > 0 ? `, at ${at.join(' or ')}` : ''}.\n` +
    'Nothing is encrypted on the way: put TLS in front of it, or keep to a network you trust.'
  );
};

/** The two programs share a machine here, and each listens for itself: the worker one port higher. */
const metricsBeside = ({ METRICS_PORT: port }) => (Number(port) > 0 ? { METRICS_PORT: String(Number(port) + 1) } : {});

/** The environment without connections: a program gets back only those it needs. */
export const withoutSecrets = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.test(name)));

/**
 * @param {{env: NodeJS.ProcessEnv, address: ReturnType<typeof apiAddress>, roles: Record<string, string>,
 *   databaseKind: 'configured' | 'native' | 'pglite', keysFile: string, modelDir: string,
 *   temporal: {address: string, namespace: string, taskQueue: string}, aliveFile: string}} options
 * @returns {{api: NodeJS.ProcessEnv, worker: NodeJS.ProcessEnv}}
 */
export const serviceEnvs = ({ env, address, roles, databaseKind, keysFile, modelDir, temporal, aliveFile }) => {
  const shared = {
    ...withoutSecrets(env),
    TEMPERA_PROFILE: env.TEMPERA_PROFILE || 'local',
    LOG_LEVEL: env.LOG_LEVEL || 'info',
    PUBLIC_URL: address.publicUrl,
    EMBEDDING_MODEL_DIR: modelDir,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TASK_QUEUE: temporal.taskQueue,
    // In PGlite every login is superuser: the programs then check the role their doors set, and no more.
    ...(databaseKind === 'pglite' ? { DATABASE_EMBEDDED: 'pglite' } : {}),
  };
  return {
    api: {
      ...shared,
      API_HOST: address.host,
      API_PORT: String(address.port),
      TOKEN_ISSUER: env.TOKEN_ISSUER || address.publicUrl,
      TOKEN_AUDIENCE: env.TOKEN_AUDIENCE || `${address.publicUrl}/graphql`,
      SIGNING_KEYS_FILE: keysFile,
      DATABASE_APP_URL: roles.app,
      DATABASE_TEXT_URL: roles.text,
      DATABASE_OPERATOR_URL: roles.operator,
    },
    worker: {
      ...shared,
      ...metricsBeside(env),
      DATABASE_WORKER_URL: roles.worker,
      DATABASE_APP_URL: roles.app,
      DATABASE_TEXT_URL: roles.text,
      WORKER_ALIVE_FILE: aliveFile,
    },
  };
};
