import type { TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { SearchCandidate } from '../../search/search-candidate.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { Tx } from '../context.js';
import { type CandidateRow, toCandidate } from './retrieval-candidate-row.js';
import { keywordLeg } from './retrieval-keyword-leg.js';
import { searchedMemories } from './retrieval-searched.js';
import { likeQuestionVotes, vectorLeg } from './retrieval-vector-leg.js';

/**
 * Everything that could answer a question, of what the caller of the door may see: the nearest by each encoder, the best
 * by keyword, and what was voted helpful for a very like question. One statement, so that all legs see one state.
 * Row-level security hides rows before any of it; the explicit tenant is a second guard.
 * @returns in no order; none for a question that nothing resembles
 */
export async function findCandidates(tx: Tx, request: SearchRequest): Promise<SearchCandidate[]> {
  const { tenantId, question, terms, perLeg } = request;
  const rows = await tx.$queryRaw<CandidateRow[]>`
    with searched as materialized (${searchedMemories(request)}),
    ${vectorLeg(tenantId, question)},
    ${keywordLeg(terms, perLeg)},
    ${likeQuestionVotes(tenantId)},
    candidate as (
      select id from nearest where place <= ${perLeg}
      union select id from worded
      union select v.id from voted v join searched s on s.id = v.id where v.helpful and v.is_like
    ), ${candidateDetails(tenantId)}`;
  return rows.map(toCandidate);
}

/** One row for each candidate, with all that the ranking reads. */
function candidateDetails(tenantId: TenantId): Prisma.Sql {
  return Prisma.sql`
    near as (
      select c.id, jsonb_object_agg(c.encoder, c.cosine) as cosines
      from compared c join candidate using (id) group by c.id
    ), judged as (
      select v.id, jsonb_agg(jsonb_build_object(
        'user', v.user_id, 'retrieval', v.retrieval_id, 'helpful', v.helpful, 'encoder', v.encoder, 'cosine', v.cosine, 'isLike', v.is_like)) as votes
      from voted v join candidate using (id) group by v.id
    )
    select m.id, m.owner_id, m.project_id, m.scope, m.kind, m.validity, m.verification <> 'untested' as is_verified,
      m.pinned, m.session_id, m.ended_at, s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others,
      s.asked_retrievals, s.credit, s.propagated, s.reached, s.last_useful_at,
      coalesce(w.bm25, 0)::float8 as bm25, n.cosines, j.votes
    from candidate
      join memory m on m.tenant_id = ${tenantId}::uuid and m.id = candidate.id
      join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id
      left join worded w on w.id = m.id
      left join near n on n.id = m.id
      left join judged j on j.id = m.id`;
}
