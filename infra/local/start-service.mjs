// The order of a start: install and build beside fetching and starting what the service stands on, then migrate, then
// the two programs, then the first run's sample.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkSettings } from './check-settings.mjs';
import { endLeftovers } from './children.mjs';
import { findEncoders } from './encoder.mjs';
import { followErrors } from './follow-log.mjs';
import { lockFile, takeLock } from './instance-lock.mjs';
import { readJson } from './json-file.mjs';
import { watchNpm } from './launched-by.mjs';
import { cacheFolder, dataFolder, makeFolder } from './paths.mjs';
import { configuredDatabase, startDatabase } from './postgres.mjs';
import { buildRooms, installPackages } from './prepare.mjs';
import { runProgram, startProgram, waitForReady } from './programs.mjs';
import { createProgress } from './progress.mjs';
import { rebaseRoles } from './role-urls.mjs';
import { serviceEnvs, whoReaches, withoutSecrets } from './service-env.mjs';
import { describeError } from './setting-error.mjs';
import { createStack } from './stack.mjs';
import { startTemporal } from './temporal.mjs';

const folders = (env) => {
  const setting = 'TEMPERA_DATA_DIR';
  const data = makeFolder(dataFolder(env), { setting, mode: 0o700 });
  const logs = makeFolder(join(data, 'logs'), { setting, mode: 0o700 });
  const run = makeFolder(join(data, 'run'), { setting, mode: 0o700 });
  return { data, logs, run, cache: makeFolder(cacheFolder(env), { setting: 'TEMPERA_CACHE_DIR' }) };
};

const prepare = async (context) => {
  const built = context.installed.then(() => buildRooms(context, 'programs'));
  const startDatabaseAndSay = async () => {
    const database = await context.stack.add('database', startDatabase(context));
    context.progress.say(`database: ${database.description}`);
    return database;
  };
  const startTemporalAndSay = async () => {
    const temporal = await context.stack.add('Temporal', startTemporal(context));
    context.progress.say(`Temporal: ${temporal.description}`);
    return temporal;
  };
  const findEncodersAndSay = async () => {
    const encoders = await findEncoders(context);
    context.progress.say(`encoders: ${encoders.description}`);
    return encoders;
  };
  const [temporal, database, encoders] = await Promise.all([
    startTemporalAndSay(),
    startDatabaseAndSay(),
    findEncodersAndSay(),
    built,
  ]);
  return { temporal, database, encoders };
};

const migrate = async ({ env, data, progress }, { adminUrl, kind }) => {
  const rolesFile = join(data, 'database-roles.json');
  rebaseRoles(rolesFile, adminUrl);
  const what = `The migration of the ${kind === 'configured' ? `database that ${configuredDatabase(env).setting} names` : 'database'}`;
  const migrateEnv = { ...withoutSecrets(env), DATABASE_ADMIN_URL: adminUrl, TEMPERA_ROLES_FILE: rolesFile };
  await progress.during('migrating the database', () =>
    runProgram({ what, script: 'dist/prisma/migrate.js', env: migrateEnv }),
  );
  return readJson(rolesFile, {});
};

const makeKeys = async ({ env, data }) => {
  const keysFile = env.SIGNING_KEYS_FILE ? resolve(env.SIGNING_KEYS_FILE) : join(data, 'keys.json');
  if (!existsSync(keysFile)) {
    const script = 'apps/api/dist/keys-cli.js';
    await runProgram({ what: 'Making the signing keys', script, args: ['--out', keysFile], env: withoutSecrets(env) });
  }
  return keysFile;
};

const startPrograms = async (context, envs) => {
  const { stack, logs, run, address, progress } = context;
  const start = (name, script, env) => stack.add(name, startProgram({ name, script, env, logs, run }));
  const worker = await start('Worker', 'apps/worker/dist/main.js', envs.worker);
  const api = await start('API', 'apps/api/dist/main.js', envs.api);
  for (const child of [worker, api])
    followErrors(child.logFile, child.logStart, (text) => progress.say(`${child.name}: ${text}`));
  await progress.during('starting the API', () => waitForReady(api, address.url));
};

const FIRST_LOOK_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Tenants that have grown large get a partition of their own, once a day. The embedded database has one backend, which
 * building an index would keep from everybody.
 */
const keepPartitions = ({ env, data, progress }, { kind }) => {
  if (kind === 'pglite') return;
  const what = 'The partition of a large tenant';
  const options = { what, script: 'dist/prisma/tenant-partition-cli.js', args: ['--due'] };
  const partitionEnv = { ...withoutSecrets(env), TEMPERA_ROLES_FILE: join(data, 'database-roles.json') };
  const look = () => runProgram({ ...options, env: partitionEnv }).catch((error) => progress.say(describeError(error)));
  setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  setInterval(() => void look(), DAY_MS).unref();
};

const start = async (context) => {
  const { env, address, data, progress } = context;
  const { temporal, database, encoders } = await prepare(context);
  const roles = await migrate(context, database);
  const keysFile = await makeKeys(context);
  const queue = {
    address: temporal.address,
    namespace: context.namespace,
    taskQueue: env.TEMPORAL_TASK_QUEUE || 'tempera',
  };
  const envs = serviceEnvs({
    env,
    address,
    roles,
    databaseKind: database.kind,
    keysFile,
    modelDir: encoders.modelDir,
    temporal: queue,
    aliveFile: join(context.run, 'worker.alive'),
  });
  await startPrograms(context, envs);
  keepPartitions(context, database);
  const seedEnv = { ...envs.api, API_URL: address.url, TEMPERA_DATA_DIR: data };
  const next = await progress.during('getting a first login ready', () =>
    runProgram({ what: 'The sample of the first run', script: 'dist/prisma/seed.js', env: seedEnv }),
  );
  progress.say(
    `ready at ${address.publicUrl}/graphql after ${Math.round(performance.now() / 100) / 10} s\n\n${next}\n`,
  );
  const reach = whoReaches(address);
  if (reach) progress.say(`${reach}\n`);
  progress.say(`Data in ${data}, logs in ${join(data, 'logs')}. Ctrl-C stops everything.`);
};

/** Runs until Ctrl-C, until a part ends by itself, or until the start fails. */
export const main = async () => {
  const env = process.env;
  const progress = createProgress();
  const stack = createStack({ progress, order: ['API', 'Worker', 'Temporal', 'database'] });
  let release = () => {};
  const leave = async (code) => {
    await stack.stop();
    release();
    process.exit(code);
  };
  stack.onSignal(leave);
  watchNpm({
    onGone: () => {
      progress.say('\nnpm has ended; stopping …');
      void leave(0);
    },
  });
  // Whoever read what is said may be gone before us.
  process.stdout.on('error', () => {});
  try {
    const address = await checkSettings(env);
    const places = folders(env);
    release = takeLock(lockFile(places.data), places.data);
    if ((await endLeftovers(places.run)) > 0) progress.say('ended what an earlier start had left behind');
    const installed = installPackages({ logs: places.logs, progress }).then(() => undefined);
    const namespace = env.TEMPORAL_NAMESPACE || 'default';
    await stack.untilFailure(start({ env, progress, stack, address, installed, namespace, ...places }));
  } catch (error) {
    if (stack.isStopping()) return;
    console.error(`\n${describeError(error)}`);
    await leave(1);
  }
};
