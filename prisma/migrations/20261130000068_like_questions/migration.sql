-- Questions for which something was found helpful, newest first for each audience. A search reads so many of each that the
-- asker belongs to: through one index of the tenant it would have to pass over all that the asker may not see, and a busy
-- project's questions would push out those of a quiet one.
create index vote_question_helpful on vote_question (tenant_id, encoder, scope, (case scope when 'project' then project_id
  when 'group' then group_id when 'private' then owner_id else tenant_id end), created_at desc) where helpful;
