import type { ProjectId, TenantId, UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** What an agent did with one tool in a turn. */
export interface TurnTool {
  readonly name: string;
  readonly file: string | null;
  readonly command: string | null;
  readonly error: string | null;
  readonly resolution: string | null;
}

/** What was said in one turn, as its client tells it. */
export interface NewTurn {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  /** Null: it is bound to none, or to one that the person may not write into. */
  readonly projectId: ProjectId | null;
  readonly sessionKey: string;
  readonly promptKey: string;
  /** When it ended, by the client's clock. */
  readonly at: Date;
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly TurnTool[];
  readonly branch: string | null;
  readonly client: string;
  readonly isBackfill: boolean;
  readonly now: Date;
}

/** `fuller`: it took the place of what was known of the turn; `known`: nothing was changed. */
export interface KeptTurnRow {
  readonly status: 'new' | 'fuller' | 'known';
  readonly turnId: string;
  readonly conversationId: string;
}

interface StandingTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly isFuller: boolean;
}

/**
 * Keeps a turn, once for each prompt of a session: a version with more in it takes the place of the one before. The caller
 * holds {@link lockCaptures}.
 */
export const keepTurn = async (tx: Tx, turn: NewTurn): Promise<KeptTurnRow> => {
  const standing = await findStanding(tx, turn);
  if (standing !== null && !standing.isFuller)
    return { status: 'known', turnId: standing.id, conversationId: standing.conversationId };
  const conversationId = await findOrStartConversation(tx, turn);
  const turnId = await putTurn(tx, turn, conversationId);
  const touched = new Set([conversationId, ...(standing === null ? [] : [standing.conversationId])]);
  await countTurns(tx, turn, [...touched]);
  await tx.outbox.createMany({ data: { tenantId: turn.tenantId, kind: 'distil', subjectId: conversationId } });
  return { status: standing === null ? 'new' : 'fuller', turnId, conversationId };
};

const findStanding = async (
  tx: Tx,
  { tenantId, userId, sessionKey, promptKey, prompt, answer, tools }: NewTurn,
): Promise<StandingTurn | null> => {
  const [row] = await tx.$queryRaw<StandingTurn[]>`/* kept */
    select id, conversation_id as "conversationId", turn_bytes(prompt, answer, tools)
      < turn_bytes(${prompt}, ${answer}, ${JSON.stringify(tools)}::jsonb) as "isFuller"
    from turn where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid and session_key = ${sessionKey}
      and prompt_key = ${promptKey}`;
  return row ?? null;
};

const findOrStartConversation = async (
  tx: Tx,
  { tenantId, userId, projectId, sessionKey, client, at, now }: NewTurn,
): Promise<string> => {
  const [row] = await tx.$queryRaw<{ id: string }[]>`/* kept */
    insert into conversation (tenant_id, user_id, project_id, session_key, client, started_at, last_turn_at, changed_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${projectId}::uuid, ${sessionKey}, ${client}, ${at}, ${at}, ${now})
    on conflict (tenant_id, user_id, session_key, project_id) do update set client = excluded.client
    returning id`;
  return row?.id ?? '';
};

const putTurn = async (tx: Tx, turn: NewTurn, conversationId: string): Promise<string> => {
  const { tenantId, userId, sessionKey, promptKey, at, prompt, answer, tools, branch, client, isBackfill, now } = turn;
  const [row] = await tx.$queryRaw<{ id: string }[]>`/* kept */
    insert into turn (tenant_id, user_id, conversation_id, session_key, prompt_key, at, prompt, answer, tools, branch, client,
      is_backfill, kept_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${conversationId}::uuid, ${sessionKey}, ${promptKey}, ${at}, ${prompt}, ${answer},
      ${JSON.stringify(tools)}::jsonb, ${branch}, ${client}, ${isBackfill}, ${now})
    on conflict (tenant_id, user_id, session_key, prompt_key) do update set conversation_id = excluded.conversation_id,
      at = excluded.at, prompt = excluded.prompt, answer = excluded.answer, tools = excluded.tools, branch = excluded.branch,
      client = excluded.client, is_backfill = excluded.is_backfill, kept_at = excluded.kept_at
    returning id`;
  return row?.id ?? '';
};

/** How many turns there are and from when to when; of one that lost its last turn the times stay. */
const countTurns = (tx: Tx, { tenantId, now }: NewTurn, conversationIds: readonly string[]): Promise<number> =>
  tx.$executeRaw`/* kept */
    update conversation c set turns = t.turns, started_at = coalesce(t.started_at, c.started_at),
      last_turn_at = coalesce(t.last_turn_at, c.last_turn_at), changed_at = ${now}
    from (
      select i.id, count(n.id)::int as turns, min(n.at) as started_at, max(n.at) as last_turn_at
      from unnest(${[...conversationIds]}::uuid[]) i (id)
        left join turn n on n.tenant_id = ${tenantId}::uuid and n.conversation_id = i.id
      group by i.id
    ) t where c.tenant_id = ${tenantId}::uuid and c.id = t.id`;
