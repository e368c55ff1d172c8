-- What followed a memory in its session is looked up for the best candidates of every question.
create index memory_session_order on memory (tenant_id, session_id, ended_at, created_at, id);
drop index memory_session;
