import type pg from 'pg';

/** One tenant's share of a crowd: `count` memories with a vector each, written past triggers and policies. */
export interface Share {
  readonly tenantId: string;
  readonly ownerId: string;
  readonly count: number;
  /** Every n-th memory is private to the owner; 0 for none. */
  readonly privateEvery?: number;
  /** Without vectors a row costs a tenth of the time. */
  readonly withoutVectors?: boolean;
}

/** Numbers of a vector; what the shipped English encoder makes. */
export const CROWD_DIMENSIONS = 384;
export const CROWD_ENCODER = 'crowd@0';

/**
 * Makes the pools that {@link fill} draws from: directions that texts of one subject share, and small deviations. Sums of
 * the two lie in clusters, as vectors of real texts do; evenly spread ones would be the easy case for an index.
 */
export const makePools = async (client: pg.Client): Promise<void> => {
  await client.query('set session_replication_role = replica');
  await client.query('select setseed(0.42)');
  for (const [name, size, spread] of [
    ['subject', 500, 1],
    ['deviation', 3_000, 0.5],
  ] as const) {
    await client.query(
      `create temporary table ${name} as select n, (select array_agg(${spread} * (random() + random() + random() - 1.5))
         from generate_series(1, ${CROWD_DIMENSIONS}) d where n > 0)::halfvec as vector from generate_series(1, ${size}) n`,
    );
    await client.query(`create unique index on ${name} (n)`);
  }
};

/** Fills a tenant. Rows come by the hundred thousand, so nothing but the columns the searches read is worth its time. */
export const fill = async (client: pg.Client, share: Share): Promise<void> => {
  const { tenantId, ownerId, count, privateEvery = 0, withoutVectors = false } = share;
  await client.query(
    `with made as (
       insert into memory (tenant_id, owner_id, scope, kind, title, text, valid_from, started_at, ended_at, created_at,
         embedding_state, keywords, keyword_count)
       select $1, $2, case when $4 > 0 and n % greatest($4, 1) = 0 then 'private' else 'tenant' end, 'decision',
         'title ' || n, 'text ' || n, t, t, t, t, 'ready', to_tsvector('simple', 'word' || n % 97 || ' text'), 2
       from generate_series(1, $3::int) n, lateral (select now() - n * interval '1 second' as t) m
       returning tenant_id, id, scope, owner_id
     ), stats as (
       insert into memory_stat (tenant_id, memory_id, last_useful_at, scope, owner_id, forgotten)
         select tenant_id, id, now(), scope, owner_id, false from made
     )
     insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
     select m.tenant_id, m.id, '${CROWD_ENCODER}', '\\x00', l2_normalize(s.vector + d.vector), m.scope, m.owner_id
     from (select *, (random() * 499)::int + 1 as a, (random() * 2999)::int + 1 as b from made) m
       join subject s on s.n = m.a join deviation d on d.n = m.b
     where not $5`,
    [tenantId, ownerId, count, privateEvery, withoutVectors],
  );
};

/** Questions as texts of the same kind: near to what is stored, and not in it. */
export const drawQuestions = async (client: pg.Client, count: number): Promise<Float32Array[]> => {
  const { rows } = await client.query<{ vector: string }>(
    `select l2_normalize(s.vector + d.vector + e.vector)::text as vector
     from generate_series(1, $1::int) q
       join subject s on s.n = 1 + q * 7 % 500 join deviation d on d.n = 1 + q * 13 % 3000
       join deviation e on e.n = 1 + q * 29 % 3000`,
    [count],
  );
  return rows.map(({ vector }) => Float32Array.from(JSON.parse(vector) as number[]));
};
