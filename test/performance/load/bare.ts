import { questionTerms, toKeywords, toTsqueryLiteral, toVectorLiteral } from '@tempera/platform';
import pg from 'pg';
import { randomFrom } from '../random.js';
import type { Asked } from './askers.js';
import { HITS, nextTurn, retrieve } from './drive.js';
import { questionAbout } from './texts.js';
import { type Times, timesOf } from './times.js';
import type { World } from './world.js';

/** The service beside what it is made of: the same questions, one after the other, in turns. */
export interface Compared {
  readonly service: Times;
  readonly encoder: Times;
  readonly sql: Times;
  /** The service's median by those of encoder and SQL together. */
  readonly ratio: number;
}

const PER_LEG = 200;

/** What somebody would write who trusts everybody: no policies, no sessions, no standing, no record. */
const search = async (client: pg.Client, { encoder }: World, asked: Asked, question: Question): Promise<void> => {
  const { tenantId } = asked.asker;
  const type = `halfvec(${question.vector.length})`;
  const near = await client.query<{ id: string }>(
    `select memory_id as id from embedding where tenant_id = $1 and encoder = $2
     order by (vector::${type}) <=> $3::${type} limit ${PER_LEG}`,
    [tenantId, encoder.id, toVectorLiteral(question.vector)],
  );
  const worded = await client.query<{ id: string }>(
    `select id, ts_rank(keywords, $2::tsquery) as rank from memory
     where tenant_id = $1 and state = 'active' and keywords @@ $2::tsquery order by rank desc limit ${PER_LEG}`,
    [tenantId, question.terms],
  );
  const ids = [...near.rows.slice(0, HITS / 2), ...worded.rows.slice(0, HITS / 2)].map(({ id }) => id);
  await client.query('select id, title, text from memory where tenant_id = $1 and id = any ($2::uuid[])', [
    tenantId,
    ids,
  ]);
};

interface Question {
  readonly vector: Float32Array;
  readonly terms: string;
}

const timed = async <T>(times: number[], work: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  const result = await work();
  times.push(performance.now() - begun);
  return result;
};

/** Asks one question of the service, of the encoder and of the database, in turns, so that all have the same weather. */
export const compareWithBare = async (world: World, seconds: number, seed: number): Promise<Compared> => {
  const client = new pg.Client({ connectionString: world.instance.database.adminUrl });
  await client.connect();
  const random = randomFrom(seed);
  const [service, encoder, sql]: [number[], number[], number[]] = [[], [], []];
  try {
    await client.query(`set hnsw.iterative_scan = strict_order; set hnsw.ef_search = ${PER_LEG}`);
    const until = performance.now() + seconds * 1_000;
    do {
      const [asked, turn] = [world.crowd.draw(random), nextTurn()];
      service.push((await retrieve(world, asked, turn)).milliseconds);
      const text = questionAbout(world.vocabulary, asked.subject, turn);
      const vector = await timed(encoder, () => world.encoder.question(text));
      const terms = toTsqueryLiteral(questionTerms(toKeywords(text)));
      await timed(sql, () => search(client, world, asked, { vector, terms }));
    } while (performance.now() < until);
  } finally {
    await client.end();
  }
  const [all, bareEncoder, bareSql] = [timesOf(service), timesOf(encoder), timesOf(sql)];
  const ratio = Math.round((100 * all.p50) / (bareEncoder.p50 + bareSql.p50)) / 100;
  return { service: all, encoder: bareEncoder, sql: bareSql, ratio };
};
