import {
  type EncoderId,
  EncoderPool,
  EncoderThread,
  STANDARD_ENCODERS,
  toKeywords,
  toTsvectorLiteral,
  toVectorLiteral,
} from '@tempera/platform';
import type pg from 'pg';
import type { Progress } from '../capture-set.js';
import { randomFrom } from '../random.js';
import { detailsOf, subjectsOf, type Vocabulary } from './texts.js';

/** The encoder of the bench itself, as the service has it: one thread an inference. */
export interface BenchEncoder {
  readonly id: EncoderId;
  readonly text: (text: string) => Promise<Float32Array>;
  readonly question: (text: string) => Promise<Float32Array>;
  readonly dispose: () => Promise<void>;
}

const ENCODER = 'bge-small-en-v1.5';

/** Loads the English encoder. @throws where there is none */
export const openEncoder = async (): Promise<BenchEncoder> => {
  const path = process.env['EMBEDDING_MODEL_DIR'] ?? '';
  const host = new EncoderThread({ source: { kind: 'folder', path }, threads: 1 });
  const pool = new EncoderPool({ host, now: () => performance.now() });
  const options = { exactly: [STANDARD_ENCODERS[ENCODER]] } as const;
  const first = (await pool.embedText('ready', options)).embeddings[0];
  if (first === undefined) throw new Error(`No encoder ${ENCODER} in EMBEDDING_MODEL_DIR.`);
  return {
    id: first.encoder,
    text: async (text) => (await pool.embedText(text, options)).embeddings[0]?.parts[0] ?? new Float32Array(),
    question: async (text) => (await pool.embedQuestion(text, options)).embeddings[0]?.vector ?? new Float32Array(),
    dispose: () => pool.dispose(),
  };
};

/** Vectors for each detail: its own direction, and as much that is its alone; the texts differ as little. */
const VARIANTS = 10;
/** How far a detail moves a memory from its subject: two memories of one subject then have a cosine of about .85. */
const DETAIL = 0.3;
const CHANCE = 0.3;

const meanOf = (vectors: readonly Float32Array[]): Float32Array =>
  Float32Array.from(
    vectors[0] ?? [],
    (_, at) => vectors.reduce((sum, one) => sum + (one[at] ?? 0), 0) / vectors.length,
  );

const scaled = (vector: Float32Array, length: number): Float32Array => {
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => (value * length) / norm);
};

/** What a detail adds to its subject's vector: how it differs from the other details, and chance. */
const deviationsOf = (vectors: readonly Float32Array[], seed: number): Float32Array[] => {
  const random = randomFrom(seed);
  const mean = meanOf(vectors);
  return vectors.flatMap((vector) => {
    const own = scaled(
      vector.map((value, at) => value - (mean[at] ?? 0)),
      DETAIL,
    );
    return Array.from({ length: VARIANTS }, () => {
      const chance = scaled(
        own.map(() => random() + random() + random() - 1.5),
        CHANCE,
      );
      return own.map((value, at) => value + (chance[at] ?? 0));
    });
  });
};

const PAGE = 500;

const keep = async (client: pg.Client, table: string, texts: readonly string[], vectors: readonly Float32Array[]) => {
  await client.query(
    `create temporary table ${table} (n int primary key, text text, keywords tsvector, words int, vector halfvec)`,
  );
  for (let at = 0; at < vectors.length; at += PAGE) {
    const page = vectors.slice(at, at + PAGE);
    const textOf = (index: number): string => texts[(at + index) % texts.length] ?? '';
    const keywords = page.map((_, index) => toKeywords(textOf(index)));
    await client.query(
      `insert into ${table} select $1::int + place - 1, text, keywords::tsvector, words, vector::halfvec
       from unnest($2::text[], $3::text[], $4::int[], $5::text[]) with ordinality as given (text, keywords, words, vector, place)`,
      [
        at,
        page.map((_, index) => textOf(index)),
        keywords.map(toTsvectorLiteral),
        keywords.map(({ length }) => length),
        page.map(toVectorLiteral),
      ],
    );
  }
};

/** How many there are of each. */
export interface Pools {
  readonly encoder: EncoderId;
  readonly subjects: number;
  readonly deviations: number;
}

/**
 * Encodes the vocabulary and keeps it in two temporary tables, `subject` and `deviation` (n, text, keywords, words, vector),
 * from which memories are put together inside the database: a real encoder would take an hour for 200,000.
 */
export const makePools = async (
  client: pg.Client,
  encoder: BenchEncoder,
  vocabulary: Vocabulary,
  progress: Progress,
): Promise<Pools> => {
  const [subjects, details] = [subjectsOf(vocabulary), detailsOf(vocabulary)];
  const vectors: Float32Array[] = [];
  for (const text of [...subjects, ...details]) {
    vectors.push(await encoder.text(text));
    progress(vectors.length, subjects.length + details.length, 'sentences encoded');
  }
  const deviations = deviationsOf(vectors.slice(subjects.length), 7);
  // The texts of a detail's variants are its own: ten rows in a row would be ten texts, so they go by turns.
  const byTurns = deviations.map(
    (_, at) => deviations[(at % details.length) * VARIANTS + Math.floor(at / details.length)] ?? new Float32Array(),
  );
  await keep(client, 'subject', subjects, vectors.slice(0, subjects.length));
  await keep(client, 'deviation', details, byTurns);
  return { encoder: encoder.id, subjects: subjects.length, deviations: deviations.length };
};
