import type { FactKind } from '@tempera/core';
import type { Tx } from '../context.js';
import type { TurnTool } from './turn.repository.js';

/** One turn as it is read to be drawn from. */
export interface TurnRow {
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly TurnTool[];
  readonly at: Date;
  readonly branch: string | null;
}

/** A window on a conversation: some turns before the first new one, and as many as one page takes from there. */
export interface TurnWindow {
  readonly turns: readonly TurnRow[];
  /** The first of them that is new. */
  readonly from: number;
  /** How many turns of the conversation have been read after this window. */
  readonly upTo: number;
  /** When the latest of them that was read was kept. */
  readonly keptUpTo: Date | null;
  readonly isMore: boolean;
  /** Whether the conversation was held in a project's folder. */
  readonly hasProject: boolean;
  /** As the conversation stood, to see whether somebody else was faster. */
  readonly distilledTurns: number;
  readonly distilledAt: Date | null;
}

/** For the worker: whose conversation it is; null where it is gone. */
export const readConversationOwner = async (
  tx: Tx,
  tenantId: string,
  conversationId: string,
): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from conversation where tenant_id = ${tenantId}::uuid and id = ${conversationId}::uuid`;
  return row?.userId ?? null;
};

interface Ground extends Standing {
  readonly hasProject: boolean;
}

interface Standing {
  readonly distilledTurns: number;
  readonly distilledAt: Date | null;
}

/**
 * The next turns to draw from: those after the ones that were, and from the first that was kept since, such as one that came late or
 * fuller. @returns null where the conversation is gone
 */
export const readTurns = async (
  tx: Tx,
  tenantId: string,
  conversationId: string,
  { context, limit }: { readonly context: number; readonly limit: number },
): Promise<TurnWindow | null> => {
  const [standing] = await tx.$queryRaw<Ground[]>`
    select distilled_turns as "distilledTurns", distilled_at as "distilledAt", project_id is not null as "hasProject"
    from conversation where tenant_id = ${tenantId}::uuid and id = ${conversationId}::uuid`;
  if (standing === undefined) return null;
  const [place] = await tx.$queryRaw<{ from: number; total: number }[]>`
    select least(coalesce(min(t.n) filter (where t.kept_at > ${standing.distilledAt}), count(*)), ${standing.distilledTurns})::int as "from",
      count(*)::int as total
    from (select row_number() over (order by at, id) - 1 as n, kept_at from turn
      where tenant_id = ${tenantId}::uuid and conversation_id = ${conversationId}::uuid) t`;
  const from = Math.min(place?.from ?? 0, place?.total ?? 0);
  const start = Math.max(0, from - context);
  const rows = await tx.$queryRaw<(TurnRow & { readonly keptAt: Date })[]>`
    select prompt, answer, tools, at, branch, kept_at as "keptAt" from turn
    where tenant_id = ${tenantId}::uuid and conversation_id = ${conversationId}::uuid
    order by at, id offset ${start}::int limit ${from - start + limit}::int`;
  const upTo = start + rows.length;
  const isMore = upTo < (place?.total ?? 0);
  const kept = rows.map(({ keptAt }) => keptAt.getTime());
  // A turn that was kept before the last one of this page, and comes after it, must still be new then.
  const keptUpTo =
    isMore || kept.length === 0
      ? standing.distilledAt
      : new Date(Math.max(...kept, standing.distilledAt?.getTime() ?? 0));
  return { turns: rows, from: from - start, upTo, keptUpTo, isMore, ...standing };
};

/** Holds one's own conversation until the transaction ends; null where it is gone. */
export const holdConversation = async (tx: Tx, tenantId: string, conversationId: string): Promise<Standing | null> => {
  const [row] = await tx.$queryRaw<Standing[]>`
    select distilled_turns as "distilledTurns", distilled_at as "distilledAt" from conversation
    where tenant_id = ${tenantId}::uuid and id = ${conversationId}::uuid for no key update`;
  return row ?? null;
};

/** A fact to write, or one that was refused, with the reason. */
export interface NewDistilled {
  readonly key: Uint8Array;
  readonly kind: FactKind;
  readonly content: string;
  readonly reason: string | null;
  readonly details: object;
}

export interface DistilledPlace {
  readonly tenantId: string;
  readonly userId: string;
  readonly conversationId: string;
}

/**
 * Writes what is not there yet. What was refused because nobody had agreed is taken up again when somebody has.
 * @returns how many wait to be kept, and how many were refused, of those that are new
 */
export const insertDistilled = async (
  tx: Tx,
  {
    tenantId,
    userId,
    conversationId,
    facts,
    now,
  }: DistilledPlace & { readonly facts: readonly NewDistilled[]; readonly now: Date },
): Promise<{ readonly pending: number; readonly refused: number }> => {
  let [pending, refused] = [0, 0];
  for (const { key, kind, content, reason, details } of facts) {
    const rows = await tx.$queryRaw<{ reason: string | null }[]>`
      insert into distilled_fact as f (tenant_id, user_id, conversation_id, key, kind, content, details, status, reason, decided_at)
      values (${tenantId}::uuid, ${userId}::uuid, ${conversationId}::uuid, ${key}, ${kind}, ${content}, ${JSON.stringify(details)}::jsonb,
        ${reason === null ? 'pending' : 'refused'}, ${reason}, ${reason === null ? null : now})
      on conflict (tenant_id, conversation_id, key) do update set status = 'pending', reason = null, decided_at = null
        where f.reason in ('undecided', 'hedged') and excluded.status = 'pending'
      returning reason`;
    if (rows.length === 0) continue;
    if (reason === null) pending += 1;
    else refused += 1;
  }
  return { pending, refused };
};

/** Notes how far a conversation has been drawn from, and promises that what waits is kept. */
export const noteDistilled = async (
  tx: Tx,
  {
    tenantId,
    conversationId,
    turns,
    at,
    summary,
    isToKeep,
  }: Omit<DistilledPlace, 'userId'> & {
    readonly turns: number;
    readonly at: Date | null;
    readonly summary: string;
    readonly isToKeep: boolean;
  },
): Promise<void> => {
  await tx.$executeRaw`
    update conversation set distilled_turns = ${turns}, distilled_at = ${at}, summary = coalesce(${summary === '' ? null : summary}, summary)
    where tenant_id = ${tenantId}::uuid and id = ${conversationId}::uuid`;
  if (isToKeep) await tx.outbox.createMany({ data: { tenantId, kind: 'distilled', subjectId: conversationId } });
};
