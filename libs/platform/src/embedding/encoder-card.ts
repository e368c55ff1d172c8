import { z } from 'zod';

/** The encoders this service knows. A tenant has one or both active. */
export const ENCODER_NAMES = ['bge-small-en-v1.5', 'bge-small-zh-v1.5'] as const;

/** Name of a model in the catalogue; says nothing about its quantisation, see {@link EncoderId}. */
export type EncoderName = (typeof ENCODER_NAMES)[number];

/** `name@first 12 digits of the weights' digest`: vectors compare only within one id. */
export type EncoderId = string & { readonly __brand: 'EncoderId' };

const cosine = z.number().min(-1).max(1);

/** A cosine limit and how it was found: the share of unrelated pairs of real texts that lie below it. */
const threshold = z.strictObject({ cosine, quantile: z.number().min(0).max(1) });

const cardSchema = z.strictObject({
  name: z.enum(ENCODER_NAMES),
  language: z.enum(['en', 'zh']),
  /** Repository on the model hub that carries exactly these weights. */
  hub: z.string(),
  weightsSha256: z.string().regex(/^[0-9a-f]{64}$/),
  dimensions: z.number().int().positive(),
  pooling: z.literal('cls'),
  /** The most tokens the model reads at once, its two special tokens included. */
  windowTokens: z.number().int().positive(),
  /** The most tokens of one part when a longer text is split; special tokens not counted. */
  partTokens: z.number().int().positive(),
  /** What the vocabulary holds; see readableText. */
  reads: z.enum(['latin', 'chinese-and-lower-case-latin']),
  queryPrefix: z.string(),
  medianUnrelated: cosine,
  thresholds: z.strictObject({
    /** Under it a text is as near as any other: the origin of min_similarity. */
    candidate: threshold,
    /** A capture this near to an own memory may become its next revision, if the conflict guard agrees. */
    merge: threshold,
    /** Every pair of a cluster is at least this near. */
    cluster: threshold,
    /** Two memories this near are neighbours in the propagation graph. */
    edge: threshold,
    /** Two questions (with prefix) this near ask the same thing. */
    likeQuestion: threshold,
    /** Two questions (with prefix) this near begin to share votes. */
    tau: threshold,
  }),
  /** relevance = logistic(a + b·cosine + c·keyword), keyword as core's keywordPart has it. */
  calibration: z.strictObject({ a: z.number(), b: z.number().positive(), c: z.number().nonnegative() }),
  /** How the numbers were measured, for a person. */
  measured: z.string(),
});

/** Everything about one encoder that a number depends on. Cosines are those of unit vectors. */
export type EncoderCard = z.infer<typeof cardSchema>;

/** Reads a card from JSON. @throws ZodError when a field is missing, unknown or out of range. */
export function parseEncoderCard(json: unknown): EncoderCard {
  return cardSchema.parse(json);
}

/** @param weightsSha256 digest of the weights actually loaded, by default those of the card. */
export function encoderIdOf(card: EncoderCard, weightsSha256: string = card.weightsSha256): EncoderId {
  return `${card.name}@${weightsSha256.slice(0, 12)}` as EncoderId;
}
