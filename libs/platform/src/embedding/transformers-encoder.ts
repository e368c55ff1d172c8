import { access, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import { AppError } from '@tempera/client-kit';
import { type EncoderCard, type EncoderId, encoderIdOf } from './encoder-card.js';
import { folderNameOf } from './encoder-catalogue.js';
import { encoderRefused } from './encoder-refused.js';
import type { Encoder, LoadEncoder } from './encoder.js';
import { sha256OfFile } from './weights-digest.js';

/** Where model files come from: a folder `<path>/<name>/…`, or the model hub with a cache of its own. */
export type ModelSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'hub'; readonly cachePath: string; readonly host?: string };

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
const WEIGHTS = 'onnx/model_quantized.onnx';

interface LoadOptions {
  readonly source: ModelSource;
  /** Threads of one inference; the library's default is all cores. */
  readonly threads?: number;
  /** Runs what calls native code; default as it is. A thread must not be ended meanwhile, see ThreadLatch. */
  readonly aroundNative?: AroundNative;
}

type AroundNative = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * The encoder that runs in this thread through ONNX. Inference is synchronous native code: a text of 512 tokens holds the
 * event loop for 20 to 100 ms, which is why EncoderThread keeps it away from the one that answers requests.
 */
class TransformersEncoder implements Encoder {
  readonly id: EncoderId;

  constructor(
    readonly card: EncoderCard,
    private readonly tokenizer: PreTrainedTokenizer,
    private readonly model: PreTrainedModel,
    private readonly native: AroundNative,
  ) {
    this.id = encoderIdOf(card);
  }

  countTokens(text: string): number {
    return this.tokenizer.tokenize(text).length;
  }

  // One text per call, never a batch: dynamic quantisation scales activations over the whole batch, so a text embedded
  // with others gets another vector (cosine .994 to .997, measured).
  async embed(text: string): Promise<Float32Array> {
    const inputs = this.tokenizer(text, { truncation: true, max_length: this.card.windowTokens });
    const { last_hidden_state: states } = (await this.native(() => this.model(inputs))) as {
      last_hidden_state: Tensor;
    };
    // The first token ([CLS]) of [1, tokens, numbers].
    return unitVector((states.data as Float32Array).subarray(0, states.dims[2]));
  }

  async dispose(): Promise<void> {
    await this.native(() => this.model.dispose());
  }
}

/** Makes the loader of one source. The library is imported on first use, so that a start without it costs nothing. */
export function transformersLoader(options: LoadOptions): LoadEncoder {
  return async (card) => {
    const library = await import('@huggingface/transformers');
    library.env.logLevel = library.LogLevel.ERROR;
    const { source } = options;
    if (source.kind === 'hub' && source.host) library.env.remoteHost = source.host;
    const place = source.kind === 'folder' ? await inFolder(card, source.path) : await inCache(card, source.cachePath);
    const tokenizer = await library.AutoTokenizer.from_pretrained(place.location, place.fetching);
    const native: AroundNative = options.aroundNative ?? ((work) => work());
    const model = await native(() =>
      library.AutoModel.from_pretrained(place.location, {
        ...place.fetching,
        dtype: 'q8',
        device: 'cpu',
        ...(options.threads ? { session_options: { intraOpNumThreads: options.threads } } : {}),
      }),
    );
    const encoder = new TransformersEncoder(card, tokenizer, model, native);
    try {
      await place.checkFetched();
      await assertDimensions(card, encoder);
    } catch (error) {
      await encoder.dispose();
      throw error;
    }
    return encoder;
  };
}

interface ModelPlace {
  /** What the library is asked for: a folder, or a repository of the hub. */
  readonly location: string;
  readonly fetching: { readonly local_files_only: true } | { readonly cache_dir: string };
  /** The digest of weights that were not there before loading. */
  checkFetched(): Promise<void>;
}

/** An own folder, checked before anything of it is parsed. */
async function inFolder(card: EncoderCard, root: string): Promise<ModelPlace> {
  const location = await folderOf(card, root);
  await assertDigest(card, join(location, WEIGHTS));
  return { location, fetching: { local_files_only: true }, checkFetched: async () => undefined };
}

/** The cache of the hub. Weights that are not the card's are removed from it: a broken download is fetched anew next time. */
async function inCache(card: EncoderCard, cachePath: string): Promise<ModelPlace> {
  const cache = resolve(cachePath);
  const weights = join(cache, card.hub, WEIGHTS);
  const check = async (): Promise<void> => {
    try {
      await assertDigest(card, weights);
    } catch (error) {
      await rm(weights, { force: true });
      throw error;
    }
  };
  if (!(await areThere(join(cache, card.hub), FILES)))
    return { location: card.hub, fetching: { cache_dir: cache }, checkFetched: check };
  await check();
  // As a folder: asked for a repository, the library would look at the hub even for what it has, and fail without network.
  return {
    location: join(cache, card.hub),
    fetching: { local_files_only: true },
    checkFetched: async () => undefined,
  };
}

async function areThere(folder: string, files: readonly string[]): Promise<boolean> {
  const found = await Promise.allSettled(files.map((file) => access(join(folder, file))));
  return found.every(({ status }) => status === 'fulfilled');
}

async function folderOf(card: EncoderCard, root: string): Promise<string> {
  const folder = resolve(root, folderNameOf(card));
  for (const file of FILES) {
    await access(join(folder, file)).catch((cause: unknown) => {
      throw new AppError('unavailable', 'encoder-missing', `The model folder has no ${folderNameOf(card)}/${file}.`, {
        cause,
      });
    });
  }
  return folder;
}

async function assertDigest(card: EncoderCard, file: string): Promise<void> {
  const actual = await sha256OfFile(file);
  if (actual !== card.weightsSha256) throw encoderRefused(card, actual);
}

async function assertDimensions(card: EncoderCard, encoder: Encoder): Promise<void> {
  const { length } = await encoder.embed('dimensions');
  if (length === card.dimensions) return;
  throw new AppError(
    'unavailable',
    'encoder-refused',
    `${card.name} gives ${length} numbers, its card says ${card.dimensions}.`,
  );
}

function unitVector(values: Float32Array): Float32Array {
  let sum = 0;
  for (const value of values) sum += value * value;
  const norm = Math.sqrt(sum) || 1;
  return Float32Array.from(values, (value) => value / norm);
}
