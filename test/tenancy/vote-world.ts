import type pg from 'pg';
import type { Identity } from '@tempera/platform';
import type { TestDatabase } from '../support/database.js';
import { addMember, makePerson, makeProject, type Person } from '../support/people.js';
import { makeGroup } from '../support/scopes.js';

const ENCODERS = ['one@0', 'two@0'] as const;
export const LIMITS = { tau: 0.3, likeQuestion: 0.8 };
export const QUESTION = [0.6, 0.64, 0.48];

/** Some people with memories of every audience, some merged into others, and votes for questions of any direction. */
export interface VoteWorld {
  readonly people: readonly Person[];
  readonly encoders: readonly string[];
}

export const makeVoteWorld = async (database: TestDatabase, client: pg.Client, owner: Person): Promise<VoteWorld> => {
  const [one, two] = [await makeProject(database.doors, owner, 'one'), await makeProject(database.doors, owner, 'two')];
  const group = await makeGroup(database.doors, owner, 'both', [one]);
  const ben = await makePerson(database.doors, owner, 'Ben', {});
  const cleo = await makePerson(database.doors, owner, 'Cleo', {});
  await addMember(database.doors, owner, one, ben.userId);
  await addMember(database.doors, owner, two, cleo.userId);
  const authors = [owner.userId, ben.userId, cleo.userId];
  await client.query('select setseed(0.7)');
  await client.query(
    `with drawn as (
       select n, $2::uuid[] as authors, (array['private', 'tenant', 'project', 'project', 'group'])[1 + n % 5] as scope
       from generate_series(1, 600) n
     ), made as (
       insert into memory (tenant_id, owner_id, scope, project_id, group_id, kind, title, text, valid_from, started_at,
         ended_at, state, embedding_state, keywords, keyword_count)
       select $1, authors[1 + (n / 5) % 3], scope, case scope when 'project' then (array[$3, $4]::uuid[])[1 + n % 2] when 'group' then $3::uuid end,
         case when scope = 'group' then $5::uuid end, 'decision', 't', 'text ' || n, now(), now(), now(), 'active', 'ready', '', 0
       from drawn returning *
     ), stats as (
       insert into memory_stat (tenant_id, memory_id, last_useful_at, scope, owner_id, project_id, group_id, forgotten)
         select tenant_id, id, now(), scope, owner_id, project_id, group_id, false from made
     ), embedded as (
       insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id, project_id, group_id)
       select m.tenant_id, m.id, 'one@0', '\\x00', ('[' || random() || ',' || random() || ',' || random() || ']')::halfvec,
         m.scope, m.owner_id, m.project_id, m.group_id
       from made m where right(m.text, 1) < '2'
     )
     insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at, scope,
       owner_id, project_id, group_id, forgotten)
     select m.tenant_id, ($2::uuid[])[1 + v % 3], gen_random_uuid(), m.id, ($6::text[])[1 + v % 2], random() < 0.7,
       l2_normalize(('[' || random() - 0.2 || ',' || random() - 0.2 || ',' || random() - 0.2 || ']')::halfvec), now(), m.scope,
       m.owner_id, m.project_id, m.group_id, false
     from made m, generate_series(1, 2) v`,
    [owner.tenantId, authors, one, two, group, ENCODERS],
  );
  await merge(client, owner.tenantId);
  return { people: [owner, ben, cleo], encoders: ENCODERS };
};

/** Every fourth memory goes into the next of its audience, so that some go through several. */
const merge = (client: pg.Client, tenantId: string): Promise<unknown> =>
  client.query(
    `update memory m set merged_into = n.into, state = 'archived' from (
       select id, lead(id) over (partition by scope, owner_id, project_id, group_id order by id) as into, md5(id::text) as word
       from memory where tenant_id = $1) n
     where m.tenant_id = $1 and m.id = n.id and n.into is not null and n.word < '8'`,
    [tenantId],
  );

export interface Heard {
  /** Memories that a very like question found helpful. */
  readonly liked: ReadonlySet<string>;
  /** By memory: each vote that counts, as a line. */
  readonly votes: ReadonlyMap<string, readonly string[]>;
}

interface VoteRow {
  readonly memory_id: string;
  readonly user_id: string;
  readonly retrieval_id: string;
  readonly encoder: string;
  readonly helpful: boolean;
  readonly owner_id: string;
  readonly cosine: number;
}

/** The same by reading every vote there is, past the policies; who sees what is asked of the memories, one by one. */
export const hearAll = async (client: pg.Client, database: TestDatabase, asker: Identity): Promise<Heard> => {
  const { rows: memories } = await client.query<{ id: string; merged_into: string | null }>(
    'select id, merged_into from memory where tenant_id = $1',
    [asker.tenantId],
  );
  const into = new Map(memories.map(({ id, merged_into }) => [id, merged_into]));
  const rootOf = (id: string): string => {
    const next = into.get(id);
    return next === undefined || next === null ? id : rootOf(next);
  };
  const visible = await database.doors.asTenant(asker, (tx) => tx.memory.findMany({ select: { id: true } }));
  const seen = new Set(visible.map(({ id }) => id));
  const { rows } = await client.query<VoteRow>(
    `select v.*, 1 - (v.vector <=> $2::text::halfvec) as cosine from vote_question v where v.tenant_id = $1`,
    [asker.tenantId, `[${QUESTION.join(',')}]`],
  );
  const liked = new Set<string>();
  const votes = new Map<string, string[]>();
  for (const row of rows.filter((each) => seen.has(each.memory_id) && each.cosine > LIMITS.tau)) {
    const root = rootOf(row.memory_id);
    const isLike = row.cosine >= LIMITS.likeQuestion;
    if (isLike && row.helpful) liked.add(root);
    votes.set(root, [...(votes.get(root) ?? []), voteLine({ ...row, isLike, isOwn: row.owner_id === row.user_id })]);
  }
  for (const lines of votes.values()) lines.sort();
  return { liked, votes };
};

type Told = Pick<VoteRow, 'user_id' | 'retrieval_id' | 'encoder' | 'helpful'> & { isLike: boolean; isOwn: boolean };

export const voteLine = ({ user_id, retrieval_id, encoder, helpful, isLike, isOwn }: Told): string =>
  [user_id, retrieval_id, encoder, helpful, isLike, isOwn].join(' ');
