import { Prisma } from '../../generated/prisma/client.js';
import type { PastKeywords } from '../../search/search-request.js';
import { BM25, toTsqueryLiteral, toTsvectorLiteral } from '../../search/text/exports.js';

/**
 * The keyword leg over the memories that pass `conditions` (on memory m): `worded` (id, bm25, covered), the best by BM25;
 * `covered` is the share of the question's rarity that the memory's terms hold, terms that no memory has included. Documents
 * and their frequencies are counted over what is searched, so that no word of a memory the caller may not see moves a
 * score. Keywords are carried along only where a term occurs, because copying them all costs more than the match.
 *
 * A term's count in a text is read back from ts_rank, which for a lone term adds 0.1/j² for its j-th position and divides
 * by π²/6: taking the vectors apart instead cost four times as much (5,000 memories, 20 terms: 38 ms against 10 ms). The
 * formula is that of search/text/bm25.ts; a test compares the two.
 */
export function keywordLeg(
  terms: readonly string[],
  conditions: Prisma.Sql,
  limit: number,
  past: readonly PastKeywords[] = [],
): Prisma.Sql {
  const { k1, b } = BM25;
  const queries = terms.map((term) => toTsqueryLiteral([term]));
  return Prisma.sql`
    searched as materialized (
      select m.id, m.keyword_count,
        case when m.keywords @@ ${toTsqueryLiteral(terms)}::tsquery then m.keywords end as keywords
      from memory m where ${conditions}
      ${pastTexts(terms, past)}
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
    ), frequency as (
      select term, count(*)::float8 as documents from found group by term
    ), rarity as materialized (
      select t.term, ln(1 + greatest(0, c.documents - coalesce(q.documents, 0) + 0.5)
        / (coalesce(q.documents, 0) + 0.5))::float8 as weight
      from term t cross join corpus c left join frequency q on q.term = t.term
    ), question_rarity as (
      select sum(weight) as weight from rarity
    ), worded as materialized (
      select f.id, (sum(r.weight) / w.weight)::float8 as covered,
        sum(r.weight * f.tf * ${k1 + 1}::float8
          / (f.tf + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * f.keyword_count / c.average_length)))::float8 as bm25
      from found f join rarity r on r.term = f.term cross join corpus c cross join question_rarity w
      group by f.id, w.weight order by bm25 desc, f.id limit ${limit}
    )`;
}

/** Texts that are no memory's any more stand among those that are, so that one measure of rarity holds for all. */
function pastTexts(terms: readonly string[], past: readonly PastKeywords[]): Prisma.Sql {
  if (past.length === 0) return Prisma.empty;
  return Prisma.sql`union all
      select p.id, p.keyword_count, case when p.keywords @@ ${toTsqueryLiteral(terms)}::tsquery then p.keywords end
      from (select id, keyword_count, literal::tsvector as keywords
        from unnest(${past.map(({ id }) => id)}::uuid[], ${past.map(({ keywords }) => keywords.length)}::int[],
          ${past.map(({ keywords }) => toTsvectorLiteral(keywords))}::text[]) as given (id, keyword_count, literal)) p`;
}
