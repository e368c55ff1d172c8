-- The tables of one instance. Every row with user data carries its tenant, and every key and foreign key starts with it,
-- because unique and foreign keys ignore row-level security: a key without the tenant would tell one tenant what another has.
-- Policies, grants and functions follow in the next migrations; nothing is granted here.

-- ── Tenants and people ──────────────────────────────────────────────────────────────────────────────────────────────

create table tenant (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 200),
  time_zone text not null default 'UTC',
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null default now()
);

create table app_user (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  display_name text not null check (length(display_name) between 1 and 200),
  email text,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  status text not null default 'active' check (status in ('active', 'removed')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table project (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, slug),
  foreign key (tenant_id, created_by) references app_user (tenant_id, id)
);

-- A project is known by its normalised git remotes, never by a folder name.
create table project_remote (
  tenant_id uuid not null,
  remote text not null check (length(remote) between 1 and 500),
  project_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, remote),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create index project_remote_project on project_remote (tenant_id, project_id);

create table membership (
  tenant_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('maintainer', 'contributor', 'reader')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, project_id, user_id),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index membership_user on membership (user_id, tenant_id, project_id);

-- ── Identity ────────────────────────────────────────────────────────────────────────────────────────────────────────

create table invitation (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  display_name text not null,
  email text,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  project_id uuid,
  project_role text check (project_role in ('maintainer', 'contributor', 'reader')),
  user_id uuid, -- set: the code opens one more login of this user, who made it himself; null: it makes a new user
  code_hash bytea not null,
  invited_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid,
  primary key (tenant_id, id),
  check ((project_id is null) = (project_role is null)),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
-- Looked up before the tenant is known, by a 256-bit secret's hash; not unique, so that it is no oracle.
create index invitation_code on invitation (code_hash);

create table login_session (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('login', 'token')),
  client text not null default '',
  generation integer not null default 0,
  confirmed_generation integer not null default 0,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index login_session_user on login_session (tenant_id, user_id);

create table refresh_token (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  session_id uuid not null,
  generation integer not null,
  token_hash bytea not null,
  hmac_key_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, session_id, generation),
  foreign key (tenant_id, session_id) references login_session (tenant_id, id) on delete cascade
);
create index refresh_token_hash on refresh_token (token_hash);

-- Personal access tokens for machines: exchanged for short-lived access tokens, never accepted as one.
create table access_token (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  session_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  token_prefix text not null,
  token_hash bytea not null,
  scopes text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id) references login_session (tenant_id, id) on delete cascade
);
create index access_token_hash on access_token (token_hash);
create index access_token_user on access_token (tenant_id, user_id);

-- Operators run the instance and see no memories; they belong to no tenant.
create table operator (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table operator_code (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operator (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index operator_code_hash on operator_code (code_hash);

-- ── Memories ────────────────────────────────────────────────────────────────────────────────────────────────────────

create table work_session (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  project_id uuid,
  client_key text check (length(client_key) between 1 and 200),
  started_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create unique index work_session_client_key on work_session (tenant_id, user_id, project_id, client_key) nulls not distinct
  where client_key is not null;
create index work_session_latest on work_session (tenant_id, user_id, last_at desc);

create table memory (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  owner_id uuid not null,
  project_id uuid,
  scope text not null check (scope in ('private', 'project', 'tenant')),
  kind text not null
    check (kind in ('episode', 'preference', 'background', 'decision', 'todo', 'correction', 'question')),
  title text not null check (length(title) between 1 and 300),
  text text not null check (octet_length(text) between 1 and 65536),
  language text not null default 'en',
  task_type text
    check (task_type in ('bugfix', 'feature', 'refactor', 'test', 'docs', 'research', 'debug', 'setup', 'unknown')),
  outcome text check (outcome in ('success', 'partial', 'failure')),
  tags text[] not null default '{}',
  files_modified text[] not null default '{}',
  errors_resolved jsonb not null default '[]', -- [{error, resolution}]
  alternatives jsonb not null default '[]', -- [{approach, whyNot, revisitIf}]
  validity text not null default 'none'
    check (validity in ('forever', 'language', 'domain', 'project', 'dependency', 'workaround', 'none')),
  verification text not null default 'untested'
    check (verification in ('untested', 'tests_pass', 'merged', 'stable', 'across_projects')),
  pinned boolean not null default false,
  expires_at timestamptz,
  session_id uuid,
  source text not null default 'api' check (source in ('api', 'cli', 'mcp', 'hook', 'import')),
  revision integer not null default 1,
  proof_count integer not null default 1,
  state text not null default 'active' check (state in ('active', 'archived', 'forgotten')),
  merged_into uuid,
  superseded_by uuid,
  valid_from timestamptz not null,
  valid_to timestamptz,
  started_at timestamptz not null, -- when the work began: the client's word, else the capture
  ended_at timestamptz not null, -- the capture
  keywords tsvector not null default ''::tsvector, -- our own analyser's lexemes, not Postgres's
  keyword_count integer not null default 0,
  embedding_state text not null default 'pending' check (embedding_state in ('pending', 'ready', 'failed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (scope <> 'project' or project_id is not null),
  check (scope <> 'tenant' or project_id is null),
  foreign key (tenant_id, owner_id) references app_user (tenant_id, id),
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade,
  foreign key (tenant_id, session_id) references work_session (tenant_id, id) on delete set null (session_id),
  foreign key (tenant_id, merged_into) references memory (tenant_id, id) on delete set null (merged_into),
  foreign key (tenant_id, superseded_by) references memory (tenant_id, id) on delete set null (superseded_by)
);
create index memory_owner on memory (tenant_id, owner_id, ended_at desc);
create index memory_project on memory (tenant_id, project_id, ended_at desc);
create index memory_latest on memory (tenant_id, created_at desc, id desc);
create index memory_session on memory (tenant_id, session_id);

-- The learned side of a memory, apart from its text so that nightly steps never touch what people wrote.
create table memory_stat (
  tenant_id uuid not null,
  memory_id uuid not null,
  helpful double precision not null default 0, -- H, summed vote weights
  unhelpful double precision not null default 0, -- U
  helpful_voters integer not null default 0,
  helpful_others integer not null default 0, -- helpful voters who are not the author
  evidence double precision not null default 0.5,
  asked_retrievals integer not null default 0, -- one a user and day
  shown integer not null default 0,
  last_shown_at timestamptz,
  last_useful_at timestamptz not null,
  credit double precision not null default 0,
  propagated double precision not null default 0, -- p
  reached double precision not null default 0, -- q
  lent double precision not null default 0, -- min(p, q)
  lent_from uuid, -- the source that lends the most
  propagated_on date,
  primary key (tenant_id, memory_id),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);

-- One row for each encoder and part of a text. It carries the memory's audience itself: through memory it cost twice the
-- exact scan. A trigger keeps the copy. A tenant with many rows gets a partition of its own.
create table embedding (
  tenant_id uuid not null,
  memory_id uuid not null,
  encoder text not null, -- name@digest of the weights
  part smallint not null default 0,
  revision integer not null default 1,
  content_hash bytea not null,
  vector halfvec not null,
  scope text not null,
  owner_id uuid not null,
  project_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, memory_id, encoder, part),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
) partition by list (tenant_id);
create table embedding_default partition of embedding default;
create index embedding_encoder on embedding (tenant_id, encoder);
create index embedding_owner on embedding (tenant_id, owner_id);
create index embedding_project on embedding (tenant_id, project_id);

create table revision (
  tenant_id uuid not null,
  memory_id uuid not null,
  revision integer not null,
  title text not null,
  text text not null,
  tags text[] not null default '{}',
  files_modified text[] not null default '{}',
  author_id uuid not null,
  reason text not null check (reason in ('captured', 'merged', 'edited')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, memory_id, revision),
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);

-- Directed: 'neighbour' rows are the nearest ten of from_id; the graph is their union, undirected.
create table link (
  tenant_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  kind text not null check (kind in ('neighbour', 'near', 'conflict')),
  weight double precision not null default 0,
  created_at timestamptz not null default now(),
  primary key (tenant_id, from_id, to_id, kind),
  check (from_id <> to_id),
  foreign key (tenant_id, from_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_id) references memory (tenant_id, id) on delete cascade
);
create index link_to on link (tenant_id, to_id);

create table idempotency_key (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null check (length(key) between 1 and 200),
  operation text not null,
  request_hash bytea not null,
  response jsonb not null, -- ids and states, never texts
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, key),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);

-- ── Retrievals and votes ────────────────────────────────────────────────────────────────────────────────────────────

create table retrieval (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  project_id uuid,
  kind text not null check (kind in ('asked', 'injected')),
  question text, -- kept 180 days
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, project_id) references project (tenant_id, id) on delete cascade
);
create index retrieval_user on retrieval (tenant_id, user_id, created_at desc);

create table retrieval_hit (
  tenant_id uuid not null,
  retrieval_id uuid not null,
  memory_id uuid not null,
  place integer not null,
  relevance double precision not null,
  score double precision not null,
  primary key (tenant_id, retrieval_id, memory_id),
  foreign key (tenant_id, retrieval_id) references retrieval (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);
create index retrieval_hit_memory on retrieval_hit (tenant_id, memory_id);

create table vote (
  tenant_id uuid not null,
  user_id uuid not null,
  retrieval_id uuid not null,
  memory_id uuid not null,
  helpful boolean not null,
  note text check (length(note) <= 2000),
  revision integer not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, retrieval_id, memory_id),
  foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  foreign key (tenant_id, retrieval_id, memory_id)
    references retrieval_hit (tenant_id, retrieval_id, memory_id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);
create index vote_memory on vote (tenant_id, memory_id);

-- The question a vote was given for, as a vector and without its words; read with the memory, by the ranking only.
create table vote_question (
  tenant_id uuid not null,
  user_id uuid not null,
  retrieval_id uuid not null,
  memory_id uuid not null,
  encoder text not null,
  helpful boolean not null,
  vector halfvec not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, retrieval_id, memory_id, encoder),
  foreign key (tenant_id, user_id, retrieval_id, memory_id)
    references vote (tenant_id, user_id, retrieval_id, memory_id) on delete cascade
);
create index vote_question_memory on vote_question (tenant_id, memory_id, encoder);

-- ── Maintenance ─────────────────────────────────────────────────────────────────────────────────────────────────────

create table maintenance_run (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('nightly')),
  run_date date not null,
  requested_by uuid,
  status text not null default 'requested' check (status in ('requested', 'running', 'completed', 'failed')),
  report jsonb not null default '{}',
  failure text,
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, requested_by) references app_user (tenant_id, id) on delete set null (requested_by)
);
-- A second request for the same date attaches to the unfinished run.
create unique index maintenance_run_unfinished on maintenance_run (tenant_id, kind, run_date)
  where status in ('requested', 'running');
create index maintenance_run_latest on maintenance_run (tenant_id, requested_at desc, id desc);

create table maintenance_step (
  tenant_id uuid not null,
  run_id uuid not null,
  step text not null check (step in ('credit', 'snapshot', 'propagate')),
  page integer not null,
  report jsonb not null default '{}',
  finished_at timestamptz not null default now(),
  primary key (tenant_id, run_id, step, page),
  foreign key (tenant_id, run_id) references maintenance_run (tenant_id, id) on delete cascade
);

-- What is wanted of the workflow engine; the worker reconciles it.
create table schedule (
  tenant_id uuid not null references tenant (id) on delete cascade,
  kind text not null check (kind in ('nightly')),
  hour smallint not null default 3 check (hour between 0 and 23),
  minute smallint not null default 0 check (minute between 0 and 59),
  paused boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, kind)
);

create table credit_ledger (
  tenant_id uuid not null,
  success_id uuid not null,
  receiver_id uuid not null,
  rank smallint not null check (rank between 1 and 4),
  amount double precision not null,
  run_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, success_id, receiver_id),
  foreign key (tenant_id, success_id) references memory (tenant_id, id) on delete cascade,
  foreign key (tenant_id, receiver_id) references memory (tenant_id, id) on delete cascade
);
create index credit_ledger_receiver on credit_ledger (tenant_id, receiver_id);

-- The row that later steps of a run read, so that each step gives the same result however often it is started.
create table snapshot (
  tenant_id uuid not null,
  run_id uuid not null,
  memory_id uuid not null,
  evidence double precision not null,
  base double precision not null,
  earned double precision not null,
  propagated_before double precision not null,
  propagated_on_before date,
  helpful_others integer not null,
  asked_retrievals integer not null,
  primary key (tenant_id, run_id, memory_id),
  foreign key (tenant_id, run_id) references maintenance_run (tenant_id, id) on delete cascade,
  foreign key (tenant_id, memory_id) references memory (tenant_id, id) on delete cascade
);

-- Work promised in the transaction that made it necessary: ids only, never texts.
create table outbox (
  tenant_id uuid not null references tenant (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('memory.embed', 'maintenance.requested', 'schedule.changed')),
  subject_id uuid not null,
  attempts integer not null default 0,
  available_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  last_error text,
  primary key (tenant_id, id)
);
create index outbox_waiting on outbox (tenant_id, kind, available_at) where done_at is null;
create index outbox_next on outbox (available_at) where done_at is null;

-- ── Audit ───────────────────────────────────────────────────────────────────────────────────────────────────────────

create table audit (
  tenant_id uuid not null references tenant (id) on delete cascade,
  seq bigint not null,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'operator', 'system')),
  actor_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id uuid,
  details jsonb not null default '{}', -- ids and names of fields, never contents
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, seq)
);
