import { asSuperuser } from '../../support/cluster.js';
import { withAttacker } from '../attacker.js';
import type { Citizen, Finding, World } from '../world.js';

/** Ways to a memory and to what hangs on it; each names the memory it comes from. */
const paths: readonly { readonly name: string; readonly sql: string }[] = [
  { name: 'list', sql: 'select id as memory from memory' },
  { name: 'search by words', sql: `select id as memory from memory where text like 'canary%' or title like 'title%'` },
  { name: 'search by keywords', sql: `select id as memory from memory where keywords is not null` },
  {
    name: 'search by vector',
    sql: `with c as materialized (select memory_id, vector <=> '[1,0,0]'::halfvec as d from embedding)
      select memory_id as memory from c order by d`,
  },
  { name: 'history', sql: 'select memory_id as memory from revision' },
  { name: 'statistics', sql: 'select memory_id as memory from memory_stat' },
  { name: 'days', sql: 'select memory_id as memory from memory_day' },
  { name: 'links', sql: 'select from_id as memory from link union select to_id from link' },
  { name: 'questions of votes', sql: 'select memory_id as memory from vote_question' },
  { name: 'votes', sql: 'select memory_id as memory from vote' },
  { name: 'hits', sql: 'select memory_id as memory from retrieval_hit' },
  { name: 'join from the project', sql: 'select m.id as memory from project p join memory m on m.project_id = p.id' },
  {
    name: 'join from the session',
    sql: 'select m.id as memory from memory m join work_session s on s.id = m.session_id',
  },
  { name: 'lock', sql: 'select id as memory from memory for key share' },
];

const privateOfOthers = async (world: World, me: Citizen): Promise<Set<string>> =>
  asSuperuser(world.adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from memory where scope = 'private' and (tenant_id, owner_id) <> ($1, $2)`,
      [me.tenantId, me.userId],
    );
    return new Set(rows.map((row) => row.id));
  });

const hunt = async (world: World, hunters: readonly Citizen[]): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    for (const me of hunters) {
      const forbidden = await privateOfOthers(world, me);
      await attacker.claiming(me, async () => {
        for (const { name, sql } of paths) {
          const answer = await attacker.attempt(sql);
          if (answer.kind === 'error') leaks.push(`user ${me.n}: ${name}: ${answer.message}`);
          else if (answer.rows.some((row) => forbidden.has(String(row['memory'])))) leaks.push(`user ${me.n}: ${name}`);
        }
        const counted = await attacker.attempt(
          `select count(*)::int as all, count(*) filter (where scope = 'private' and owner_id <> $1)::int as others from memory`,
          [me.userId],
        );
        if (counted.kind === 'rows' && counted.rows[0]?.['others'] !== 0) leaks.push(`user ${me.n}: counts`);
      });
    }
    return { attempts: attacker.attempts(), leaks };
  });

/** Attack 1.21: private memories kept inside a shared project, by every path, by everyone. */
export const privateMemories = (world: World): Promise<Finding> => hunt(world, world.citizens);

/** Attack 1.11: owners and admins look for colleagues' private memories. */
export const curiousAdmins = (world: World): Promise<Finding> =>
  hunt(
    world,
    world.citizens.filter((citizen) => citizen.n <= 2),
  );
