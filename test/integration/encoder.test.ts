import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ENCODER_CARDS,
  encoderIdOf,
  type EncoderName,
  EncoderPool,
  type EncoderStatus,
  EncoderThread,
  readFurtherEncoders,
  STANDARD_ENCODERS,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const models = process.env['EMBEDDING_MODEL_DIR'] ?? '';
const now = (): number => performance.now();
const poolOf = (path: string): EncoderPool =>
  new EncoderPool({ host: new EncoderThread({ source: { kind: 'folder', path } }), now, retryAfterMs: 0 });

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

let pool: EncoderPool;
let folder: string;

beforeAll(async () => {
  pool = poolOf(models);
  folder = await mkdtemp(join(tmpdir(), 'tempera-encoder-'));
});

afterAll(async () => {
  await pool.dispose();
  await rm(folder, { recursive: true, force: true });
});

const vectorOf = async (text: string, name: EncoderName): Promise<Float32Array> => {
  const { embeddings } = await pool.embedText(text, { exactly: [STANDARD_ENCODERS[name]] });
  const [part] = embeddings[0]?.parts ?? [];
  if (!part) throw new Error(`no vector for ${text}`);
  return part;
};

describe.each([
  {
    name: 'bge-small-en-v1.5' as const,
    text: 'Always run migrations before starting the worker.',
    paraphrase: 'Migrations must be run before the worker is started.',
    unrelated: 'Invoices are sent on the first of the month.',
  },
  {
    name: 'bge-small-zh-v1.5' as const,
    text: '启动服务之前必须先执行迁移',
    paraphrase: '先跑迁移再启动服务',
    unrelated: '发票在每个月的第一天发送',
  },
])('the encoder $name', ({ name, text, paraphrase, unrelated }) => {
  const card = ENCODER_CARDS[name];

  it('gives unit vectors of the length its card says', async () => {
    const vector = await vectorOf(text, name);
    expect(vector).toHaveLength(card.dimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  it('gives a text one vector, alone or among others', async () => {
    const alone = await vectorOf(text, name);
    const among = await Promise.all(
      [unrelated, text, `${paraphrase} `.repeat(40), text].map((one) => vectorOf(one, name)),
    );
    expect(among[1]).toEqual(alone);
    expect(among[3]).toEqual(alone);
  });

  it('puts a paraphrase above its edge threshold and an unrelated text below', async () => {
    const [one, same, other] = await Promise.all([text, paraphrase, unrelated].map((each) => vectorOf(each, name)));
    if (!one || !same || !other) throw new Error('vectors expected');
    expect(cosine(one, same)).toBeGreaterThan(card.thresholds.edge.cosine);
    expect(cosine(one, other)).toBeLessThan(card.thresholds.edge.cosine);
  });

  it('reads a long text to its end, in parts', async () => {
    const long = `${`${unrelated}\n`.repeat(120)}${text}`;
    const { embeddings } = await pool.embedText(long, { exactly: [STANDARD_ENCODERS[name]] });
    const parts = embeddings[0]?.parts ?? [];
    expect(parts.length).toBeGreaterThan(1);
    const wanted = await vectorOf(text, name);
    const [first] = parts;
    const last = parts.at(-1);
    if (!first || !last) throw new Error('parts expected');
    expect(cosine(wanted, last)).toBeGreaterThan(cosine(wanted, first));
  });
});

describe('Latin words inside Chinese', () => {
  it('count, in whatever case they are written', async () => {
    const [lower, upper] = await Promise.all(
      ['用 docker 部署', '用 Docker 部署'].map((one) => vectorOf(one, 'bge-small-zh-v1.5')),
    );
    const other = await vectorOf('用 Terraform 部署', 'bge-small-zh-v1.5');
    if (!lower || !upper) throw new Error('vectors expected');
    expect(upper).toEqual(lower);
    expect(cosine(lower, other)).toBeLessThan(0.95);
  });
});

describe('model files', () => {
  it('that are not those of the card are refused, naming both', async () => {
    const path = join(folder, 'altered');
    const name = 'bge-small-zh-v1.5';
    await cp(join(models, name), join(path, name), { recursive: true, dereference: true });
    await appendFile(join(path, name, 'onnx', 'model_quantized.onnx'), 'x');
    const altered = poolOf(path);
    const [status] = await altered.prepare([STANDARD_ENCODERS[name]]);
    await altered.dispose();
    expect(status?.state).toBe('refused');
    expect(status?.reason).toContain(`${name}@${ENCODER_CARDS[name].weightsSha256.slice(0, 12)}`);
    expect(status?.reason).toMatch(new RegExp(`are ${name}@[0-9a-f]{12} `));
  });

  it('H1: of another quantisation stand beside the standard ones, and are refused where they give other dimensions than their card says', async () => {
    const path = join(folder, 'further');
    const name = 'bge-small-en-v1.5';
    const weights = join(path, 'new', 'onnx', 'model_quantized.onnx');
    await cp(join(models, name), join(path, 'new'), { recursive: true, dereference: true });
    // A comment within the model file: the same model, other weights as far as the digest goes.
    await appendFile(weights, Buffer.from([0x32, 0x03, 0x6e, 0x65, 0x77]));
    const weightsSha256 = createHash('sha256')
      .update(await readFile(weights))
      .digest('hex');
    const card = { ...ENCODER_CARDS[name], weightsSha256 };
    const id = encoderIdOf(card);
    await rename(join(path, 'new'), join(path, id));
    const stateWith = async (dimensions: number): Promise<EncoderStatus | undefined> => {
      await writeFile(join(path, id, 'card.json'), JSON.stringify({ ...card, dimensions }));
      const further = await readFurtherEncoders(path);
      const host = new EncoderThread({ source: { kind: 'folder', path }, further });
      const beside = new EncoderPool({ host, further, now });
      const [status] = await beside.prepare([id]);
      await beside.dispose();
      return status;
    };
    expect(await stateWith(384)).toMatchObject({ state: 'ready', id });
    expect(await stateWith(512)).toMatchObject({
      state: 'refused',
      reason: `${name} gives 384 numbers, its card says 512.`,
    });
  });

  it('that are missing leave the pool answering, and are used once they arrive', async () => {
    const path = join(folder, 'late');
    const name = 'bge-small-zh-v1.5';
    const late = poolOf(path);
    expect((await late.embedText('身份验证')).missing).toMatchObject([
      { error: { kind: 'unavailable', code: 'encoder-missing' } },
    ]);
    expect(late.statuses()).toContainEqual(expect.objectContaining({ name, state: 'unavailable' }));
    await cp(join(models, name), join(path, name), { recursive: true, dereference: true });
    expect((await late.embedText('身份验证')).embeddings).toHaveLength(1);
    await late.dispose();
  });
});

/** A model hub that serves the files of EMBEDDING_MODEL_DIR under their repository's name. */
const startHub = (): Promise<Server> =>
  new Promise((ready) => {
    const server = createServer((request, response) => {
      const [, name = '', file = ''] = /^\/[^/]+\/([\w.-]+)\/resolve\/main\/([\w./-]+)$/.exec(request.url ?? '') ?? [];
      const stream = createReadStream(join(models, name, file));
      stream.on('error', () => response.writeHead(404).end());
      stream.pipe(response);
    });
    server.listen(0, '127.0.0.1', () => ready(server));
  });

describe('a model hub', () => {
  it('gives what no folder has, once; a download that is damaged is refused and fetched anew', async () => {
    const name = 'bge-small-zh-v1.5';
    const hub = await startHub();
    const host = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
    const cachePath = join(folder, 'hub');
    const stateOf = async (): Promise<string | undefined> => {
      const fresh = new EncoderPool({ host: new EncoderThread({ source: { kind: 'hub', cachePath, host } }), now });
      const [status] = await fresh.prepare([STANDARD_ENCODERS[name]]);
      await fresh.dispose();
      return status?.state;
    };
    try {
      expect(await stateOf()).toBe('ready');
      await appendFile(join(cachePath, ENCODER_CARDS[name].hub, 'onnx', 'model_quantized.onnx'), 'x');
      expect(await stateOf()).toBe('refused');
      expect(await stateOf()).toBe('ready');
    } finally {
      hub.closeAllConnections();
      hub.close();
    }
    expect(await stateOf()).toBe('ready');
  });
});
