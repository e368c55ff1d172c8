import type { FactKind, MemoryId, Outcome } from '@tempera/core';
import type { Tx } from '../context.js';

/** What goes with a fact's words. */
export interface DistilledDetails {
  readonly at?: string;
  readonly expiresAt?: string | null;
  readonly tags?: readonly string[];
  readonly evidence?: readonly { readonly turn: number; readonly quote: string }[];
  readonly outcome?: Outcome | null;
  readonly files?: readonly string[];
  readonly errors?: readonly { readonly error: string; readonly resolution: string }[];
}

/** A fact that waits to become a memory, with where it was said. */
export interface WaitingFact {
  readonly id: string;
  readonly kind: FactKind;
  readonly content: string;
  readonly details: DistilledDetails;
  readonly sessionKey: string;
  readonly projectId: string | null;
  /** Null too where the owner is no member of it any more. */
  readonly projectSlug: string | null;
}

/** For the loop that keeps them: whose facts of a conversation wait; null where none do. */
export const readWaitingOwner = async (tx: Tx, tenantId: string, conversationId: string): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ userId: string }[]>`
    select user_id as "userId" from distilled_fact
    where tenant_id = ${tenantId}::uuid and conversation_id = ${conversationId}::uuid and status = 'pending' limit 1`;
  return row?.userId ?? null;
};

/** One's own facts of a conversation that wait, in the order in which they were said. */
export const listWaitingFacts = (
  tx: Tx,
  tenantId: string,
  conversationId: string,
  limit: number,
): Promise<WaitingFact[]> =>
  tx.$queryRaw`
    select f.id, f.kind, f.content, f.details, c.session_key as "sessionKey", c.project_id as "projectId", p.slug as "projectSlug"
    from distilled_fact f join conversation c on c.tenant_id = f.tenant_id and c.id = f.conversation_id
      left join project p on p.tenant_id = c.tenant_id and p.id = c.project_id
    where f.tenant_id = ${tenantId}::uuid and f.conversation_id = ${conversationId}::uuid and f.status = 'pending'
    order by f.details ->> 'at', f.id limit ${limit}::int`;

/** Holds a fact that waits until the transaction ends. @returns whether it still does */
export const holdWaitingFact = async (tx: Tx, tenantId: string, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`
    select id from distilled_fact where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and status = 'pending' for no key update`;
  return rows.length > 0;
};

/** Notes what became of a fact: the memory that says it, or why there is none. */
export const decideFact = async (
  tx: Tx,
  {
    tenantId,
    id,
    memoryId,
    reason,
    at,
  }: {
    readonly tenantId: string;
    readonly id: string;
    readonly memoryId: MemoryId | null;
    readonly reason: string | null;
    readonly at: Date;
  },
): Promise<void> => {
  await tx.$executeRaw`
    update distilled_fact set status = ${reason === null ? 'kept' : 'refused'}, reason = ${reason}, memory_id = ${memoryId}::uuid, decided_at = ${at}
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and status = 'pending'`;
};
