import type { FactKind } from '@tempera/core';
import type { Tx } from '../context.js';

/** One of a person's conversations, and what came of it. */
export interface ConversationRecord {
  readonly id: string;
  readonly project: string | null;
  readonly client: string;
  readonly startedAt: Date;
  readonly lastTurnAt: Date;
  /** To the microsecond, for the place of a page. */
  readonly lastTurnAtText: string;
  readonly turns: number;
  readonly distilledTurns: number;
  readonly summary: string | null;
  readonly kept: number;
  readonly waiting: number;
  readonly refused: Readonly<Record<string, number>>;
}

export interface FactRecord {
  readonly conversationId: string;
  readonly kind: FactKind;
  readonly content: string;
  readonly evidence: string | null;
  readonly status: 'pending' | 'kept' | 'refused';
  readonly reason: string | null;
  readonly memoryId: string | null;
}

interface ConversationQuery {
  readonly tenantId: string;
  readonly userId: string;
  readonly id?: string;
  readonly after: { readonly lastTurnAtText: string; readonly id: string } | null;
  readonly take: number;
}

/** One's own conversations, the one that went on last first. */
export const listConversations = (
  tx: Tx,
  { tenantId, userId, id, after, take }: ConversationQuery,
): Promise<ConversationRecord[]> => tx.$queryRaw`
  select c.id, p.slug as project, c.client, c.started_at as "startedAt", c.last_turn_at as "lastTurnAt",
    c.last_turn_at::text as "lastTurnAtText", c.turns, c.distilled_turns as "distilledTurns", c.summary, f.kept, f.waiting, f.refused
  from conversation c left join project p on p.tenant_id = c.tenant_id and p.id = c.project_id
    cross join lateral (
      select coalesce(sum(r.n) filter (where r.status = 'kept'), 0)::int as kept,
        coalesce(sum(r.n) filter (where r.status = 'pending'), 0)::int as waiting,
        coalesce(jsonb_object_agg(r.reason, r.n) filter (where r.status = 'refused'), '{}') as refused
      from (select d.status, d.reason, count(*) as n from distilled_fact d
        where d.tenant_id = c.tenant_id and d.conversation_id = c.id group by d.status, d.reason) r
    ) f
  where c.tenant_id = ${tenantId}::uuid and c.user_id = ${userId}::uuid and (${id === undefined} or c.id = ${id ?? null}::uuid)
    and (${after === null} or (c.last_turn_at, c.id) < (${after?.lastTurnAtText ?? null}::timestamptz, ${after?.id ?? null}::uuid))
  order by c.last_turn_at desc, c.id desc limit ${take}::int`;

/** What was drawn from conversations, so many of each: what was kept first. */
export const listFacts = (
  tx: Tx,
  {
    tenantId,
    conversationIds,
    most,
  }: { readonly tenantId: string; readonly conversationIds: readonly string[]; readonly most: number },
): Promise<FactRecord[]> => tx.$queryRaw`
  select f.* from unnest(${[...conversationIds]}::uuid[]) i (id) cross join lateral (
    select d.conversation_id as "conversationId", d.kind, d.content, d.details -> 'evidence' -> 0 ->> 'quote' as evidence, d.status, d.reason,
      d.memory_id as "memoryId"
    from distilled_fact d where d.tenant_id = ${tenantId}::uuid and d.conversation_id = i.id
    order by d.status = 'refused', d.details ->> 'at', d.id limit ${most}::int) f`;

/** Promises that a conversation is distilled now. */
export const askForDistil = async (tx: Tx, tenantId: string, conversationId: string): Promise<void> => {
  await tx.outbox.createMany({ data: { tenantId, kind: 'distil.now', subjectId: conversationId } });
};
