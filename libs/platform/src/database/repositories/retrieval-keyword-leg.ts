import { Prisma } from '../../generated/prisma/client.js';
import type { PastKeywords } from '../../search/search-request.js';
import { BM25, toTsqueryLiteral, toTsvectorLiteral } from '../../search/text/exports.js';

/** What ts_rank divides the positions of a lone term by. */
const PI_SQUARED_BY_6 = Math.PI ** 2 / 6;

/**
 * `searched` (id, keyword_count, keywords, is_past): the memories that pass `conditions` (on memory m), read once for all legs, and texts
 * that some of them had. Keywords are carried along only where a term occurs, because copying them all costs more than the match.
 */
export function searchedMemories(
  terms: readonly string[],
  conditions: Prisma.Sql,
  past: readonly PastKeywords[] = [],
): Prisma.Sql {
  return Prisma.sql`
    searched as materialized (
      select m.id, m.keyword_count, false as is_past,
        case when m.keywords @@ ${toTsqueryLiteral(terms)}::tsquery then m.keywords end as keywords
      from memory m where ${conditions}
      ${pastTexts(terms, past)}
    )`;
}

/**
 * The keyword leg over `searched`: `worded` (id, bm25, covered), the best by BM25;
 * `covered` is the share of the question's rarity that the memory's terms hold, terms that no memory has included. Documents
 * and their frequencies are counted over what is searched, so that no word of a memory the caller may not see moves a
 * score.
 *
 * A term's count in a text is read back from ts_rank, which for a lone term adds 0.1/j² for its j-th position and divides
 * by π²/6: taking the vectors apart instead cost four times as much (5,000 memories, 20 terms: 38 ms against 10 ms). The
 * formula is that of search/text/bm25.ts; a test compares the two.
 */
export function keywordLeg(terms: readonly string[], limit: number): Prisma.Sql {
  const { k1, b } = BM25;
  const queries = terms.map((term) => toTsqueryLiteral([term]));
  return Prisma.sql`
    corpus as materialized (
      select count(*)::float8 as documents, coalesce(nullif(avg(keyword_count), 0), 1)::float8 as average_length
      from searched
    ), term as materialized (
      select no, query::tsquery as query from unnest(${queries}::text[]) with ordinality as given (query, no)
    ), found as materialized (
      select s.id, s.keyword_count, t.no,
        round(1 / (${PI_SQUARED_BY_6}::float8 * (1 - least(10 * ts_rank(s.keywords, t.query), 0.999))) - 0.5) as tf
      from searched s join term t on s.keywords @@ t.query
      where s.keywords is not null
    ), frequency as (
      select no, count(*)::float8 as documents from found group by no
    ), rarity as materialized (
      select t.no, ln(1 + greatest(0, c.documents - coalesce(q.documents, 0) + 0.5)
        / (coalesce(q.documents, 0) + 0.5))::float8 as weight
      from term t cross join corpus c left join frequency q on q.no = t.no
    ), scored as (
      select f.id, sum(r.weight) as weight,
        sum(r.weight * f.tf * ${k1 + 1}::float8 / (f.tf + ${k1}::float8 * (${1 - b}::float8
          + ${b}::float8 * f.keyword_count / (select average_length from corpus)))) as bm25
      from found f join rarity r on r.no = f.no
      group by f.id order by bm25 desc, f.id limit ${limit}
    ), worded as materialized (
      select id, weight / (select sum(weight) from rarity) as covered, bm25 from scored
    )`;
}

/** Texts that are no memory's any more stand among those that are, so that one measure of rarity holds for all. */
function pastTexts(terms: readonly string[], past: readonly PastKeywords[]): Prisma.Sql {
  if (past.length === 0) return Prisma.empty;
  return Prisma.sql`union all
      select p.id, p.keyword_count, true, case when p.keywords @@ ${toTsqueryLiteral(terms)}::tsquery then p.keywords end
      from (select id, keyword_count, literal::tsvector as keywords
        from unnest(${past.map(({ id }) => id)}::uuid[], ${past.map(({ keywords }) => keywords.length)}::int[],
          ${past.map(({ keywords }) => toTsvectorLiteral(keywords))}::text[]) as given (id, keyword_count, literal)) p`;
}
