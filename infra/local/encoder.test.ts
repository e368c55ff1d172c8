import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODER_MODELS, MODEL_FILES } from './encoder-models.mjs';
import { checkDigests, findEncoders } from './encoder.mjs';
import { createProgress } from './progress.mjs';

describe('encoders', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'encoder-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const put = (model: string, file: string, content: string): void => {
    mkdirSync(join(folder, model, file, '..'), { recursive: true });
    writeFileSync(join(folder, model, file), content);
  };

  it('weights that are not those the card was measured with are refused by name', async () => {
    const [model] = ENCODER_MODELS;
    if (!model) throw new Error('no model is listed');
    const sha256 = Object.fromEntries(
      Object.keys(model.sha256).map((file) => [file, createHash('sha256').update(file).digest('hex')]),
    );
    const small = { ...model, sha256: sha256 as typeof model.sha256 };
    for (const file of Object.keys(sha256)) put(model.name, file, file);
    await checkDigests(small, join(folder, model.name));

    put(model.name, 'tokenizer.json', 'another');
    await expect(checkDigests(small, join(folder, model.name))).rejects.toThrow(`${model.name}/tokenizer.json is not`);
  });

  it('what Maven gives and what is written beside it make a complete model', () => {
    for (const model of ENCODER_MODELS) {
      expect([...Object.values(model.entries), ...Object.keys(model.configs)].sort()).toEqual([...MODEL_FILES].sort());
      expect(Object.keys(model.sha256).sort()).toEqual(Object.values(model.entries).sort());
    }
  });

  it('complete ones in the cache are used as they are', async () => {
    const cache = join(folder, 'cache');
    for (const { name } of ENCODER_MODELS) {
      for (const file of MODEL_FILES) put(join('cache', 'models', name), file, '');
    }
    const options = { env: {}, cache, progress: createProgress(), installed: Promise.resolve() };
    expect(await findEncoders(options)).toMatchObject({ modelDir: join(cache, 'models'), isThere: true });
  });
});
