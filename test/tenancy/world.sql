-- A world with a row of every table for everyone in it, written past the policies by a superuser. Each tenant has five
-- users: owner, admin, and three members of whom the last only reads; and two projects, so that within a tenant too there
-- is always something that one may not see. The number of tenants comes from the setting world.tenants.

insert into tenant (id, name)
select gen_random_uuid(), 'tenant ' || n from generate_series(1, current_setting('world.tenants')::int) n;

insert into app_user (tenant_id, id, display_name, email, role)
select t.id, gen_random_uuid(), t.name || ' user ' || n, 'u' || n || '@example.org',
  (array['owner', 'admin', 'member', 'member', 'member'])[n]
from tenant t, generate_series(1, 5) n;

create temporary view person as
  select tenant_id, id, right(display_name, 1)::int as n from app_user;

-- The maker becomes maintainer by trigger: 'one' is of user 3, 'two' of user 2.
insert into project (tenant_id, slug, name, created_by)
select p.tenant_id, case p.n when 3 then 'one' else 'two' end, 'project', p.id from person p where p.n in (2, 3);
insert into membership (tenant_id, project_id, user_id, role)
select p.tenant_id, j.id, p.id, case p.n when 5 then 'reader' else 'contributor' end
from person p join project j on j.tenant_id = p.tenant_id
where j.slug = 'one' and p.n in (1, 4) or j.slug = 'two' and p.n in (4, 5);
-- Groups: one of both projects, one of 'one' alone, and an empty one of user 3. 'two' reviews what is shared into it.
insert into project_group (tenant_id, slug, name, created_by)
select p.tenant_id, g.slug, 'group', p.id from person p, unnest(array['both', 'single', 'empty']) g (slug) where p.n = 3;
insert into group_project (tenant_id, group_id, project_id)
select g.tenant_id, g.id, j.id from project_group g join project j on j.tenant_id = g.tenant_id
where g.slug = 'both' or g.slug = 'single' and j.slug = 'one';
update project set review_required = true where slug = 'two';
insert into project_remote (tenant_id, remote, project_id)
select tenant_id, 'git.example.org/' || slug || '/' || id, id from project;

insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at)
select tenant_id, 'guest', 'member', sha256(id::text::bytea), id, now() + interval '7 days' from person where n = 1;
insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at, used_at, used_by)
select tenant_id, 'joined', 'member', sha256(id::text::bytea), id, now() + interval '7 days', now(), id from person where n = 1;
insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at)
select tenant_id, 'second owner', 'owner', sha256(('owner ' || id)::bytea), id, now() + interval '7 days' from person where n = 1;
insert into login_session (tenant_id, user_id, kind, expires_at, revoked_at)
select tenant_id, id, 'login', now() + interval '90 days', revoked from person, (values (null), (now())) r (revoked);
insert into refresh_token (tenant_id, session_id, generation, token_hash, hmac_key_id, expires_at)
select tenant_id, id, 0, sha256(id::text::bytea), 'k', expires_at from login_session;
insert into login_session (tenant_id, user_id, kind, expires_at)
select tenant_id, id, 'browser', now() + interval '15 minutes' from person;
insert into browser_key (tenant_id, session_id, key_hash)
select tenant_id, id, sha256(id::text::bytea) from login_session where kind = 'browser';
insert into invitation (tenant_id, display_name, role, code_hash, invited_by, expires_at, revoked_at)
select tenant_id, 'unwanted', 'member', sha256(id::text::bytea), id, now() + interval '7 days', now() from person where n = 1;
insert into login_identity (tenant_id, user_id, issuer, subject)
select tenant_id, id, 'https://id.example.org', id::text from person;
insert into oidc_flow (state_hash, purpose, address, tenant_id, user_id, session_id, expires_at)
select sha256(s.id::text::bytea), 'link', '192.0.2.1', s.tenant_id, s.user_id, s.id, now() + interval '10 minutes'
from login_session s where kind = 'browser';
insert into device_code (device_hash, user_hash, client, address, expires_at, tenant_id, user_id, approved)
select sha256(id::text::bytea), sha256(id::text::bytea), 'device', '192.0.2.1', now() + interval '10 minutes', tenant_id, id, true
from person;
insert into access_token (tenant_id, user_id, session_id, name, token_prefix, token_hash, expires_at)
select tenant_id, user_id, id, 'ci', 'tmem_pat_', sha256(user_id::text::bytea), expires_at from login_session;
insert into operator (name) values ('operator');
insert into operator_code (operator_id, code_hash, expires_at)
select id, sha256('code'::bytea), now() + interval '15 minutes' from operator;

insert into work_session (tenant_id, user_id, started_at, last_at) select tenant_id, id, now(), now() from person;

-- For everyone a private memory, one in each of his projects, and a private one kept inside a shared project; one of the
-- owner for the whole tenant; and one of user 3 in each group that 'one' is in. Each text holds a word that no other
-- tenant has.
insert into memory (tenant_id, owner_id, project_id, group_id, scope, kind, title, text, valid_from, started_at, ended_at, session_id)
select p.tenant_id, p.id, a.project_id, a.group_id, a.scope, 'decision', 'title of ' || p.id, 'canary ' || p.tenant_id, now(), now(),
  now(), s.id
from person p
join work_session s on s.tenant_id = p.tenant_id and s.user_id = p.id
cross join lateral (
  select null::uuid as project_id, null::uuid as group_id, 'private' as scope
  union all select m.project_id, null, 'project' from membership m where m.tenant_id = p.tenant_id and m.user_id = p.id
  union all select m.project_id, null, 'private' from membership m where m.tenant_id = p.tenant_id and m.user_id = p.id
  union all select null, null, 'tenant' where p.n = 1
  union all select g.project_id, g.group_id, 'group' from group_project g join project j on j.tenant_id = g.tenant_id
    and j.id = g.project_id and j.slug = 'one' where g.tenant_id = p.tenant_id and p.n = 3
) a;
insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
select tenant_id, id, 'test@0', '\x00', '[1,0,0]', '', owner_id from memory;
insert into revision (tenant_id, memory_id, revision, title, text, author_id, reason)
select tenant_id, id, 1, title, text, owner_id, 'captured' from memory;
insert into link (tenant_id, from_id, to_id, kind, weight)
select a.tenant_id, a.id, b.id, 'near', 0.9 from memory a join memory b
  on b.tenant_id = a.tenant_id and b.id <> a.id and b.scope = a.scope and b.owner_id = a.owner_id;
insert into audience_change (tenant_id, memory_id, number, from_scope, from_owner_id, to_scope, to_project_id, to_group_id,
  to_owner_id, actor_id, action)
select tenant_id, id, 1, 'private', owner_id, scope, project_id, group_id, owner_id, owner_id, 'share'
from memory where scope <> 'private';
-- Users 3 and 4 asked, for a private memory each, for 'two', the group of both and the tenant; user 4 once before, in vain.
insert into proposal (tenant_id, memory_id, proposer_id, to_scope, to_project_id, to_group_id)
select m.tenant_id, m.id, m.owner_id, a.scope, j.id, g.id
from (select *, row_number() over (partition by tenant_id, owner_id order by id) as k from memory where scope = 'private') m
join person p on p.tenant_id = m.tenant_id and p.id = m.owner_id and p.n in (3, 4)
join lateral (values (1, 'project', 'two', null), (2, 'group', 'two', 'both'), (3, 'tenant', null, null))
  a (k, scope, project, grouped) on a.k = m.k
left join project j on j.tenant_id = m.tenant_id and j.slug = a.project
left join project_group g on g.tenant_id = m.tenant_id and g.slug = a.grouped;
update proposal set state = 'declined', reason = 'no', decided_at = now(), title = null, text = null, parts = null
where proposer_id in (select id from person where n = 4) and to_scope = 'tenant';
insert into idempotency_key (tenant_id, user_id, key, operation, request_hash, response)
select tenant_id, id, 'key', 'capture', '\x00', '{}' from person;

-- Everyone was shown and voted on the tenant's memory and his own.
insert into retrieval (tenant_id, user_id, kind, question) select tenant_id, id, 'asked', 'why ' || tenant_id from person;
insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
select r.tenant_id, r.id, m.id, 1, 1, 1 from retrieval r join memory m
  on m.tenant_id = r.tenant_id and (m.scope = 'tenant' or m.owner_id = r.user_id);
insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision)
select r.tenant_id, r.user_id, h.retrieval_id, h.memory_id, true, 1
from retrieval_hit h join retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id;
insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector)
select tenant_id, user_id, retrieval_id, memory_id, 'test@0', helpful, '[1,0,0]' from vote;

-- Everyone pruned the own private memories; maintainers one that their project shares.
insert into upkeep_run (tenant_id, kind, made_by) select tenant_id, 'cleanup', id from person;
insert into upkeep_run (tenant_id, kind, project_id, made_by)
select m.tenant_id, 'cleanup', m.project_id, m.user_id from membership m where m.role = 'maintainer';
insert into upkeep_effect (tenant_id, run_id, memory_id, action)
select r.tenant_id, r.id, m.id, 'pruned' from upkeep_run r join memory m on m.tenant_id = r.tenant_id
  and case when r.project_id is null then m.scope = 'private' and m.owner_id = r.made_by
    else m.scope = 'project' and m.project_id = r.project_id end;
-- What was shared when it was pruned, and is its owner's alone by now.
insert into upkeep_effect (tenant_id, run_id, memory_id, action)
select distinct on (r.tenant_id, r.id) r.tenant_id, r.id, m.id, 'pruned' from upkeep_run r join memory m
  on m.tenant_id = r.tenant_id and m.scope = 'private' and m.owner_id <> r.made_by
where r.project_id is not null order by r.tenant_id, r.id, m.id;
-- A merge of which nothing is noted yet, and a run that was taken back.
insert into upkeep_run (tenant_id, kind, made_by) select tenant_id, 'merge', id from person;
insert into upkeep_run (tenant_id, kind, made_by, undone_at, undone_by) select tenant_id, 'cleanup', id, now(), id from person;

insert into maintenance_run (tenant_id, kind, run_date, requested_by, status)
select tenant_id, 'nightly', current_date, id, 'completed' from person where n = 2;
insert into maintenance_step (tenant_id, run_id, step, page) select tenant_id, id, 'credit', 0 from maintenance_run;
insert into maintenance_change (tenant_id, run_id, step, memory_id, action, reasons)
select m.tenant_id, r.id, 'prune', m.id, 'pruned', '{age}' from memory m join maintenance_run r on r.tenant_id = m.tenant_id;
insert into upkeep_run (tenant_id, kind, project_id, group_id, maintenance_run_id)
select r.tenant_id, 'cleanup', null::uuid, null::uuid, r.id from maintenance_run r
union all select r.tenant_id, 'cleanup', p.id, null, r.id from maintenance_run r join project p on p.tenant_id = r.tenant_id
union all select r.tenant_id, 'cleanup', null, g.id, r.id from maintenance_run r join project_group g on g.tenant_id = r.tenant_id;
insert into schedule (tenant_id, kind) select id, 'nightly' from tenant;
insert into credit_ledger (tenant_id, success_id, receiver_id, rank, amount, run_id)
select l.tenant_id, l.from_id, l.to_id, 1, 0.1, r.id from link l join maintenance_run r on r.tenant_id = l.tenant_id;
insert into snapshot (tenant_id, run_id, memory_id, evidence, base, earned, propagated_before, helpful_others, asked_retrievals)
select m.tenant_id, r.id, m.id, 0.5, 0.5, 0, 0, 0, 0 from memory m join maintenance_run r on r.tenant_id = m.tenant_id;
insert into outbox (tenant_id, kind, subject_id) select tenant_id, 'memory.embed', id from memory where scope = 'tenant';
select append_audit(t.id, 'system', null, 'world.made', 'tenant', t.id, '{}') from tenant t;

-- A departure (of number 5, long settled), and settings and rules of every level.
insert into departure (tenant_id, user_id, choice, requested_by, finished_at)
select o.tenant_id, m.id, 'keep', o.id, now() from person o join person m on m.tenant_id = o.tenant_id and m.n = 5 where o.n = 1;
insert into setting (tenant_id, project_id, key, value)
select id, null::uuid, 'retrieval.max_boost', '0.2'::jsonb from tenant
union all select tenant_id, id, 'retrieval.max_boost', '0.3'::jsonb from project;
insert into recall_rule (tenant_id, project_id, user_id, position, name, conditions, effect)
select id, null::uuid, null::uuid, 0, 'rule', '{}'::jsonb, 'first' from tenant
union all select tenant_id, id, null, 0, 'rule', '{}', 'first' from project
union all select tenant_id, null, id, 0, 'rule', '{}', 'first' from person;
insert into instance_beat (program, process_id, version, started_at, beat_at)
values ('worker', gen_random_uuid(), '0', now(), now());

-- Exports of every kind, also such as their asker has lost the right to since.
insert into data_export (tenant_id, requested_by, kind, project_id)
select p.tenant_id, p.id, 'mine', null::uuid from person p union all select p.tenant_id, p.id, 'tenant', null from person p
union all select p.tenant_id, p.id, 'project', j.id from person p join project j on j.tenant_id = p.tenant_id;
update data_export set status = 'running';
insert into export_part (tenant_id, export_id, file, part, content)
select tenant_id, id, 'memories.jsonl', 0, 'canary ' || tenant_id from data_export;

-- A change of encoder.
insert into encoder_change (tenant_id, name, from_encoder, to_encoder, edge, cluster)
select id, 'test', 'test@0', 'test@1', 0.5, 0.9 from tenant;

-- Somebody who was erased.
insert into erasure (tenant_id, user_id, requested_by, choice)
select tenant_id, gen_random_uuid(), id, 'keep' from person where n = 1;
-- What profiles tell, also of what is its owner's alone by now, or somebody else's.
insert into profile (tenant_id, id, user_id) select tenant_id, gen_random_uuid(), id from person where n <> 3;
insert into profile (tenant_id, id, project_id) select tenant_id, gen_random_uuid(), id from project;
insert into profile_line (tenant_id, profile_id, memory_id, part, place)
select p.tenant_id, p.id, m.id, 'pinned', 0 from profile p join memory m on m.tenant_id = p.tenant_id;

-- How every place did.
insert into health_day (tenant_id, id, day, scope, owner_id, project_id, group_id, memories, never_retrieved, high_value, stale, utility)
select tenant_id, gen_random_uuid(), current_date, scope, owner_id, project_id, group_id, 1, 1, 0, 0, 0.5 from (
  select distinct tenant_id, scope, case when scope = 'private' then owner_id end as owner_id, project_id,
    case when scope = 'group' then group_id end as group_id from memory) places;

-- What everybody and their client said, in each project they may write into and in none; and what was put before them.
insert into conversation (tenant_id, user_id, project_id, session_key, client, started_at, last_turn_at)
select tenant_id, id, null::uuid, 'session', 'test', now(), now() from person
union all select tenant_id, user_id, project_id, 'session', 'test', now(), now() from membership where role <> 'reader';
insert into turn (tenant_id, user_id, conversation_id, session_key, prompt_key, at, prompt, answer, client)
select tenant_id, user_id, id, session_key, 'prompt ' || id, now(), 'canary ' || tenant_id, 'canary ' || tenant_id, client
from conversation;
insert into distilled_fact (tenant_id, user_id, conversation_id, key, kind, content, details)
select tenant_id, user_id, id, sha256('x'), 'decision', 'canary ' || tenant_id, '{"evidence": []}' from conversation;
insert into injection (tenant_id, user_id, project_id, session_key, prompt_key, retrieval_id)
select m.tenant_id, m.user_id, m.project_id, 'session', p.key, r.id from membership m
  join retrieval r on r.tenant_id = m.tenant_id and r.user_id = m.user_id, (values (null), ('prompt')) p (key);
insert into outbox (tenant_id, kind, subject_id) select tenant_id, 'distil', id from conversation;

-- What everybody imported.
insert into imported (tenant_id, user_id, origin, source_id, content_hash, memory_id)
select tenant_id, owner_id, 'canary', id::text, sha256('x'), id from memory;

-- Quotas and usage came with the rows above; buckets of points, and somebody's wrong attempts.
insert into rate_bucket (tenant_id, subject_id, empty_at)
select tenant_id, id, now() from person union all select id, id, now() from tenant;
insert into attempt (kind, subject, failures, failed_at, blocked_until) values ('login', '\x00', 1, now(), now());

-- A memory that user 4 shared with 'one' and forgot, after everything was done with it.
insert into memory (tenant_id, owner_id, project_id, scope, kind, title, text, valid_from, started_at, ended_at)
select p.tenant_id, p.id, j.id, 'project', 'decision', 'forgotten by ' || p.id, 'canary ' || p.tenant_id, now(), now(), now()
from person p join project j on j.tenant_id = p.tenant_id and j.slug = 'one' where p.n = 4;
insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
select r.tenant_id, r.id, m.id, 2, 1, 1 from retrieval r join person p on p.tenant_id = r.tenant_id and p.id = r.user_id
join memory m on m.tenant_id = r.tenant_id and m.title like 'forgotten by %' where p.n in (3, 4);
insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision)
select r.tenant_id, r.user_id, h.retrieval_id, h.memory_id, true, 1 from retrieval_hit h
join retrieval r on r.tenant_id = h.tenant_id and r.id = h.retrieval_id where h.place = 2;
insert into vote_question (tenant_id, user_id, retrieval_id, memory_id, encoder, helpful, vector)
select v.tenant_id, v.user_id, v.retrieval_id, v.memory_id, 'test@0', v.helpful, '[1,0,0]' from vote v
join memory m on m.tenant_id = v.tenant_id and m.id = v.memory_id and m.title like 'forgotten by %';
update memory set revision = 2, text = text || ' again' where title like 'forgotten by %';
update memory set state = 'forgotten' where title like 'forgotten by %';

drop view person;
