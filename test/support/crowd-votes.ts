import type pg from 'pg';
import { CROWD_ENCODER } from './crowd.js';

/** Questions for which memories were found helpful, written past triggers and policies; the pools of makePools are there. */
export interface CrowdVotes {
  readonly tenantId: string;
  readonly userId: string;
  /** The memories voted on; absent: all of the tenant. */
  readonly projectId?: string;
  readonly each: number;
}

/** Gives each memory so many votes, each for a question of its own, the newest a second old. */
export const fillVotes = async (client: pg.Client, votes: CrowdVotes): Promise<void> => {
  await client.query(
    `insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at,
       scope, owner_id, project_id, group_id, forgotten)
     select m.tenant_id, $2, gen_random_uuid(), m.id, '${CROWD_ENCODER}', true, l2_normalize(s.vector + d.vector),
       now() - nth * interval '1 second', m.scope, m.owner_id, m.project_id, m.group_id, false
     from (select m.*, nth, (random() * 499)::int + 1 as a, (random() * 2999)::int + 1 as b
           from memory m, generate_series(1, $4::int) nth
           where m.tenant_id = $1 and ($3::uuid is null or m.project_id = $3)) m
       join subject s on s.n = m.a join deviation d on d.n = m.b`,
    [votes.tenantId, votes.userId, votes.projectId ?? null, votes.each],
  );
};
