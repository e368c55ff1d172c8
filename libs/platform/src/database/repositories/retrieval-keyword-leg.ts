import { Prisma } from '../../generated/prisma/client.js';
import { toTsqueryLiteral } from '../../search/text/exports.js';

/**
 * The keyword leg over the memories that pass `conditions` (on memory m): `worded` (id, bm25), the best by BM25. Documents
 * and their frequencies are counted over what is searched, so that no word of a memory the caller may not see moves a
 * score. Keywords are carried along only where a term occurs, because copying them all costs more than the match.
 *
 * A term's count in a text is read back from ts_rank, which for a lone term adds 0.1/j² for its j-th position and divides
 * by π²/6: taking the vectors apart instead cost four times as much (5,000 memories, 20 terms: 38 ms against 10 ms). The
 * formula is that of search/text/bm25.ts; a test compares the two.
 */
export function keywordLeg(terms: readonly string[], conditions: Prisma.Sql, limit: number): Prisma.Sql {
  const queries = terms.map((term) => toTsqueryLiteral([term]));
  return Prisma.sql`
    searched as materialized (
      select m.id, m.keyword_count,
        case when m.keywords @@ ${toTsqueryLiteral(terms)}::tsquery then m.keywords end as keywords
      from memory m where ${conditions}
    ), corpus as (
      select count(*)::float8 as documents, coalesce(nullif(avg(keyword_count), 0), 1)::float8 as average_length
      from searched
    ), term as materialized (
      select term, query::tsquery as query
      from unnest(${[...terms]}::text[], ${queries}::text[]) as given (term, query)
    ), found as materialized (
      select s.id, s.keyword_count, t.term,
        round((1 / (pi() * pi() / 6 * (1 - least(10 * ts_rank(s.keywords, t.query), 0.999))) - 0.5)::numeric)::float8 as tf
      from searched s join term t on s.keywords @@ t.query
      where s.keywords is not null
    ), rarity as (
      select term, ln(1 + greatest(0, documents - count(*) + 0.5) / (count(*) + 0.5)) as weight
      from found cross join corpus group by term, documents
    ), worded as materialized (
      select f.id,
        sum(r.weight * f.tf * 2.2 / (f.tf + 1.2 * (0.25 + 0.75 * f.keyword_count / c.average_length)))::float8 as bm25
      from found f join rarity r on r.term = f.term cross join corpus c
      group by f.id order by bm25 desc, f.id limit ${limit}
    )`;
}
