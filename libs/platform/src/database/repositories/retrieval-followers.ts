import { Prisma } from '../../generated/prisma/client.js';
import { STEPS_BACK } from '../../search/candidate-relevance.js';
import type { SearchRequest } from '../../search/search-request.js';
import type { Tx } from '../context.js';

/** So many of each leg's best may raise what follows them: what follows a weaker one would not reach an answer. */
const LEADERS_PER_LEG = 25;

/** One leg's memories with how well they matched, larger is better. */
export type LegScores = readonly (readonly [id: string, score: number])[];

/**
 * Notes imported without dates were written in no order that anyone knows: nothing precedes and nothing follows them. A
 * dated one ended before it was stored.
 */
const inOrder = (memory: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${memory}.source <> 'import' or ${memory}.ended_at <> ${memory}.created_at)`;

/**
 * What came right after the best of each leg in their sessions, of what is searched: for each follower the memory before it.
 * The session of one moment (a batch of dated notes) is in the order of its captures.
 */
export async function findFollowers(
  tx: Tx,
  { tenantId }: SearchRequest,
  legs: readonly LegScores[],
  conditions: Prisma.Sql,
): Promise<ReadonlyMap<string, string>> {
  const leaders = [...new Set(legs.flatMap(leadersOf))];
  if (leaders.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ leader: string; followers: string[] }[]>`/* kept */
    select l.id as leader, array(
      select m.id from memory m
      where m.session_id = l.session_id and (m.ended_at, m.created_at, m.id) > (l.ended_at, l.created_at, l.id)
        and ${inOrder(Prisma.sql`m`)} and ${conditions}
      order by m.ended_at, m.created_at, m.id limit ${STEPS_BACK}
    ) as followers
    from memory l where l.tenant_id = ${tenantId}::uuid and l.id = any (${leaders}::uuid[]) and l.session_id is not null
      and ${inOrder(Prisma.sql`l`)}`;
  return new Map(
    rows.flatMap(({ leader, followers }) =>
      followers.map((follower, index): [string, string] => [follower, followers[index - 1] ?? leader]),
    ),
  );
}

const leadersOf = (leg: LegScores): string[] =>
  [...leg]
    .sort(([, one], [, other]) => other - one)
    .slice(0, LEADERS_PER_LEG)
    .map(([id]) => id);
