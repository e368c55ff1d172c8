import type { Reference } from './reference.js';

const CONVERSATION = `insert into conversation (tenant_id, user_id, project_id, session_key, client, started_at, last_turn_at)`;
const TURN = `insert into turn (tenant_id, user_id, conversation_id, session_key, prompt_key, at, prompt, answer, client)`;

/** What turns, and what was put before a session, point at. */
export const turnReferences: readonly Reference[] = [
  {
    name: 'conversation.user',
    kind: 'app_user',
    sql: `${CONVERSATION} values ($1, $3, null, 'other', 'x', now(), now())`,
  },
  {
    name: 'conversation.project',
    kind: 'project',
    sql: `${CONVERSATION} values ($1, $2, $3, 'other', 'x', now(), now())`,
  },
  { name: 'turn.conversation', kind: 'conversation', sql: `${TURN} values ($1, $2, $3, 's', 'q', now(), '', '', 'x')` },
  {
    name: 'turn.user',
    kind: 'app_user',
    sql: `${TURN} select $1, $3, id, 's', 'q', now(), '', '', 'x' from conversation where user_id = $2 limit 1`,
  },
  {
    name: 'turn moved',
    kind: 'conversation',
    sql: `update turn set conversation_id = $3 where tenant_id = $1 and user_id = $2`,
  },
  {
    name: 'injection.project',
    kind: 'project',
    sql: `insert into injection (tenant_id, user_id, project_id, session_key) values ($1, $2, $3, 's')`,
  },
  {
    name: 'injection.retrieval',
    kind: 'retrieval',
    sql: `insert into injection (tenant_id, user_id, project_id, session_key, retrieval_id)
      values ($1, $2, (my_projects())[1], 's', $3)`,
  },
  {
    name: 'distilled_fact.conversation',
    kind: 'conversation',
    sql: `insert into distilled_fact (tenant_id, user_id, conversation_id, key, kind, content)
      values ($1, $2, $3, sha256('y'), 'decision', 'x')`,
  },
  {
    name: 'distilled_fact.user',
    kind: 'app_user',
    sql: `insert into distilled_fact (tenant_id, user_id, conversation_id, key, kind, content)
      select $1, $3, id, sha256('y'), 'decision', 'x' from conversation where user_id = $2 limit 1`,
  },
  {
    name: 'distilled_fact.memory',
    kind: 'memory',
    sql: `update distilled_fact set memory_id = $3 where tenant_id = $1 and user_id = $2`,
  },
  {
    name: 'outbox.conversation now',
    kind: 'conversation',
    sql: `insert into outbox (tenant_id, kind, subject_id) values ($1, 'distil.now', $3)`,
  },
  {
    name: 'outbox.conversation',
    kind: 'conversation',
    sql: `insert into outbox (tenant_id, kind, subject_id) values ($1, 'distil', $3)`,
  },
];
