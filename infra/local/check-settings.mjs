// Everything a person can set is looked at before anything is made, fetched or started: a wrong setting costs a second,
// and leaves nothing behind.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configuredEncoders } from './encoder.mjs';
import { lockFile, requireUnlocked } from './instance-lock.mjs';
import { cacheFolder, dataFolder } from './paths.mjs';
import { requireFreePort } from './ports.mjs';
import { configuredDatabase, parseDatabaseUrl } from './postgres.mjs';
import { whyNoPostgres } from './postgres-probe.mjs';
import { apiAddress } from './service-env.mjs';
import { SettingError, SetupError } from './setting-error.mjs';
import { checkNumbers } from './number-settings.mjs';
import { checkOidc, checkProxies } from './sign-in-settings.mjs';
import { configuredTemporal } from './temporal.mjs';

const ANSWER_MS = 3_000;
// As the programs take them; a test compares the two.
const CHOICES = {
  LOG_LEVEL: ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
  TEMPERA_PROFILE: ['local', 'production'],
};
const NEVER_BLANK = [
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TASK_QUEUE',
  'TOKEN_ISSUER',
  'TOKEN_AUDIENCE',
  'SIGNING_KEYS_FILE',
];

const checkChoices = (env) => {
  for (const [setting, choices] of Object.entries(CHOICES)) {
    if (!env[setting] || choices.includes(env[setting])) continue;
    throw new SettingError(
      `"${env[setting]}" is no ${setting}.`,
      setting,
      `Set ${setting} to one of ${choices.join(', ')}.`,
    );
  }
};

const checkBlank = (env) => {
  const setting = NEVER_BLANK.find((name) => env[name] && env[name].trim() === '');
  if (setting) throw new SettingError(`${setting} is blank.`, setting, `Set ${setting} to a value, or unset it.`);
};

const checkPublicUrl = ({ PUBLIC_URL: text }) => {
  if (!text) return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !/[\s?#]/.test(text) && !url.username && !url.password) return;
  throw new SettingError(
    'The public address is none that clients could use.',
    'PUBLIC_URL',
    'it reads like https://memory.example.com, without user, question mark or #.',
  );
};

// The nearest folder that is there decides; making the rest is for later.
const checkFolder = (setting, path) => {
  try {
    let there = path;
    while (!statSync(there, { throwIfNoEntry: false }) && dirname(there) !== there) there = dirname(there);
    if (!statSync(there).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new SettingError(
      `The folder ${path} cannot be made or written (${cause.code}).`,
      setting,
      `Set ${setting} to a folder you can write.`,
    );
  }
};

const checkKeysFile = ({ SIGNING_KEYS_FILE: text }) => {
  if (!text) return;
  const file = resolve(text);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile();
  if (isFile || (isFile === undefined && statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())) return;
  throw new SettingError(
    `${file} is no file, and none can be made there.`,
    'SIGNING_KEYS_FILE',
    'it names a file in a folder that is there; keys are made in it on the first start.',
  );
};

const checkDatabase = async (env) => {
  const configured = configuredDatabase(env);
  if (!configured) return;
  const why = await whyNoPostgres(parseDatabaseUrl(configured), ANSWER_MS);
  if (!why) return;
  throw new SettingError(
    `The configured database cannot be reached (${why}).`,
    configured.setting,
    `Set ${configured.setting} to a running Postgres (postgresql://user:password@host:5432/database), or unset it.`,
  );
};

const checkAddress = async (env) => {
  const address = apiAddress(env);
  await requireFreePort(address.port, 'API_PORT', address.host, 'API_HOST');
};

const CHECKS = [
  checkChoices,
  checkBlank,
  checkPublicUrl,
  checkProxies,
  checkNumbers,
  checkOidc,
  (env) => checkFolder('TEMPERA_DATA_DIR', dataFolder(env)),
  (env) => checkFolder('TEMPERA_CACHE_DIR', cacheFolder(env)),
  checkKeysFile,
  configuredEncoders,
  checkDatabase,
  async (env) => env.TEMPORAL_ADDRESS && configuredTemporal(env.TEMPORAL_ADDRESS, ANSWER_MS),
  checkAddress,
];

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<ReturnType<typeof apiAddress>>} the API's address
 * @throws {SettingError} for the one that is wrong; {SetupError} with all of them where several are
 */
export const checkSettings = async (env) => {
  // Before its port is found taken: by that other start of ours.
  requireUnlocked(lockFile(dataFolder(env)), dataFolder(env));
  const results = await Promise.allSettled(CHECKS.map(async (check) => check(env)));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const unexpected = problems.find((problem) => !(problem instanceof SettingError));
  if (unexpected) throw unexpected;
  if (problems.length === 1) throw problems[0];
  if (problems.length > 1) throw new SetupError(problems.map(({ message }) => message).join('\n'));
  return apiAddress(env);
};
