/** Numbers that the statements need. */
export interface FillValues {
  readonly subjects: number;
  readonly deviations: number;
  readonly step: number;
  readonly askers: number;
}

/** One statement (or several) of a filling; `plan` has the tenants, `subject` and `deviation` the texts. */
export interface FillStep {
  readonly name: string;
  readonly sql: (values: FillValues) => string;
  /** What triggers do of themselves here need not be done by hand. */
  readonly withTriggers?: boolean;
}

const PEOPLE = ({ askers }: FillValues): string => `
  insert into tenant (id, name, created_at) select tenant_id, 'Load ' || nth, now() - interval '400 days' from plan;
  create temporary table person as
    select tenant_id, nr, gen_random_uuid() as id from plan, generate_series(0, people - 1) nr;
  create temporary table place as
    select tenant_id, nr, gen_random_uuid() as id from plan, generate_series(0, projects - 1) nr;
  create unique index on person (tenant_id, nr);
  create unique index on place (tenant_id, nr);
  insert into app_user (tenant_id, id, display_name, role)
    select tenant_id, id, 'Person ' || nr, case nr when 0 then 'owner' else 'member' end from person;
  insert into project (tenant_id, id, slug, name, created_by)
    select p.tenant_id, p.id, 'project-' || p.nr, 'Project ' || p.nr, o.id
    from place p join person o on o.tenant_id = p.tenant_id and o.nr = 0;
  insert into membership (tenant_id, project_id, user_id, role)
    select p.tenant_id, p.id, o.id, 'contributor' from place p join person o using (tenant_id)
    where p.nr = 0 or (p.nr + o.nr) % 2 = 0 on conflict do nothing;
  insert into login_session (tenant_id, user_id, kind, client, expires_at)
    select tenant_id, id, 'login', 'bench', now() + interval '30 days' from person where nr < ${askers}`;

/** A session for every eight memories of a tenant, by its people and in its projects by turns. */
const SESSIONS = `
  create temporary table batch as
    select p.tenant_id, g.nr, gen_random_uuid() as id, o.id as user_id, l.id as project_id,
      now() - interval '1 hour' * (1 + ((memories - 1) / 8 - g.nr) * least(8760.0 / (1 + memories / 8), 24)) as begun
    from plan p cross join lateral generate_series(0, (p.memories - 1) / 8) as g (nr)
      join person o on o.tenant_id = p.tenant_id and o.nr = g.nr % p.people
      join place l on l.tenant_id = p.tenant_id and l.nr = g.nr % p.projects;
  create unique index on batch (tenant_id, nr);
  insert into work_session (tenant_id, id, user_id, project_id, client_key, started_at, last_at)
    select tenant_id, id, user_id, project_id, 'batch ' || nr, begun, begun + interval '40 minutes' from batch`;

/** Two of ten private, five of a project, three of the tenant. */
const MEMORIES = ({ subjects, deviations, step }: FillValues): string => `
  create temporary table if not exists made (tenant_id uuid, nth int, id uuid, owner_id uuid, project_id uuid, scope text,
    session_id uuid, told timestamptz, subject int, deviation int, rank int, fresh boolean);
  update made set fresh = false where fresh;
  insert into made
    select p.tenant_id, n, gen_random_uuid(), b.user_id, case when n % 10 between 2 and 6 then b.project_id end,
      case when n % 10 < 2 then 'private' when n % 10 < 7 then 'project' else 'tenant' end, b.id, b.begun + n % 8 * interval '5 minutes',
      (p.first_subject + n / 3 % p.subjects * ${step}) % ${subjects}, (random() * ${deviations - 1})::int, n / (3 * p.subjects) * 3 + n % 3, true
    from plan p cross join lateral generate_series(0, p.memories - 1) n
      join batch b on b.tenant_id = p.tenant_id and b.nr = n / 8;
  create index if not exists made_subject on made (tenant_id, subject, rank);
  analyze made;
  insert into memory (tenant_id, id, owner_id, project_id, scope, kind, title, text, session_id, source, valid_from, started_at, ended_at,
    created_at, updated_at, text_since, audience_since, state_since, keywords, keyword_count, embedding_state, written_by, tags)
    select m.tenant_id, m.id, m.owner_id, m.project_id, m.scope, (array['episode', 'background', 'decision', 'correction'])[1 + m.nth % 4],
      left(s.text, 300), s.text || ' ' || d.text || ' Note ' || m.nth || '.', m.session_id, 'mcp', m.told, m.told, m.told, m.told, m.told, m.told, m.told, m.told,
      s.keywords || d.keywords || ('''' || m.nth || ''':1 note:1')::tsvector, s.words + d.words + 2, 'ready', m.owner_id,
      array['load', 'tag-' || m.subject % 40]
    from made m join subject s on s.n = m.subject join deviation d on d.n = m.deviation where m.fresh;
  insert into proof (tenant_id, memory_id, session_id, created_at) select tenant_id, id, session_id, told from made where fresh`;

const VECTORS = (encoder: string): string => `
  insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id, project_id, created_at)
    select m.tenant_id, m.id, '${encoder}', decode(md5(m.id::text), 'hex'), l2_normalize(s.vector + d.vector), m.scope, m.owner_id, m.project_id, m.told
    from made m join subject s on s.n = m.subject join deviation d on d.n = m.deviation where m.fresh`;

/** The next five of the same subject. */
const LINKS = `
  insert into link (tenant_id, from_id, to_id, kind, weight)
    select a.tenant_id, a.id, b.id, 'neighbour', 0.82 + 0.01 * by
    from made a cross join generate_series(1, 5) by join made b on b.tenant_id = a.tenant_id and b.subject = a.subject and b.rank = a.rank + by
    where a.fresh on conflict do nothing`;

/** An answer for every seventh memory that others see, of five that are alike; the first was voted on, three times of four as helpful. */
const ANSWERS = (encoder: string): string => `
  create temporary table asked on commit drop as
    select m.*, gen_random_uuid() as retrieval_id, o.id as user_id, m.told + interval '1 day' as asked_at, m.nth % 4 <> 0 as helpful
    from made m join plan p using (tenant_id) join person o on o.tenant_id = m.tenant_id and o.nr = (m.nth / 8 + 1) % p.people
    where m.fresh and m.nth % 7 = 0 and (m.scope = 'tenant' or m.scope = 'project' and exists (select from membership x
      where x.tenant_id = m.tenant_id and x.project_id = m.project_id and x.user_id = o.id));
  insert into retrieval (tenant_id, id, user_id, kind, question, created_at, helped)
    select a.tenant_id, a.retrieval_id, a.user_id, 'asked', s.text, a.asked_at, a.helpful from asked a join subject s on s.n = a.subject;
  insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
    select a.tenant_id, a.retrieval_id, m.id, 1 + m.rank - a.rank, 0.9, 0.9
    from asked a join made m on m.tenant_id = a.tenant_id and m.subject = a.subject and m.rank between a.rank and a.rank + 4 on conflict do nothing;
  insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision, created_at)
    select tenant_id, user_id, retrieval_id, id, helpful, 1, asked_at from asked;
  insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector, created_at, scope, owner_id, project_id, forgotten)
    select a.tenant_id, a.user_id, a.retrieval_id, a.id, '${encoder}', a.helpful, l2_normalize(s.vector + d.vector), a.asked_at, a.scope, a.owner_id, a.project_id, false
    from asked a join subject s on s.n = a.subject join deviation d on d.n = a.nth % (select count(*) from deviation);
  insert into memory_stat (tenant_id, memory_id, last_useful_at, scope, owner_id, project_id, forgotten, helpful, helpful_voters, helpful_others,
    unhelpful, unhelpful_voters, evidence, asked_retrievals, shown)
    select m.tenant_id, m.id, coalesce(a.asked_at, m.told), m.scope, m.owner_id, m.project_id, false, coalesce(a.helpful::int, 0), coalesce(a.helpful::int, 0),
      coalesce(a.helpful::int, 0), coalesce((not a.helpful)::int, 0), coalesce((not a.helpful)::int, 0),
      case a.helpful when true then 0.67 when false then 0.33 else 0.5 end, case when a.id is null then 0 else 2 end, m.nth % 3
    from made m left join asked a using (tenant_id, id) where m.fresh`;

const COUNTS = `
  update usage u set memories = x.memories, bytes = x.bytes from (
    select m.tenant_id, count(*) as memories, sum(octet_length(m.text)) as bytes from memory m join plan using (tenant_id) group by 1) x
  where u.tenant_id = x.tenant_id`;

const ANALYSE = `analyze tenant, app_user, membership, login_session, work_session, memory, memory_stat, embedding, embedding_default, link, proof,
  retrieval, retrieval_hit, vote, vote_question`;

/** In their order. */
export const fillSteps = (encoder: string): readonly FillStep[] => [
  { name: 'people', sql: PEOPLE, withTriggers: true },
  { name: 'sessions', sql: () => SESSIONS },
  { name: 'memories', sql: MEMORIES },
  { name: 'vectors', sql: () => VECTORS(encoder) },
  { name: 'links', sql: () => LINKS },
  { name: 'answers and votes', sql: () => ANSWERS(encoder) },
  { name: 'counts', sql: () => COUNTS },
  { name: 'statistics', sql: () => ANALYSE },
];
