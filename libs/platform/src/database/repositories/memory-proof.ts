import { asId, type MemoryId, type MemoryKind, type SessionId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import { type MemoryAudience, sameAudience } from './memory-audience.js';

/** Who said so again, and when the work it tells of ended. */
export interface NewProof {
  readonly tenantId: TenantId;
  readonly memoryId: MemoryId;
  readonly sessionId: SessionId;
  readonly endedAt: Date;
  readonly now: Date;
}

/**
 * Counts a later capture of a memory: once for each session, which is a person's, however often it says so. The memory was
 * useful then, which a trigger keeps.
 */
export async function addProof(tx: Tx, { tenantId, memoryId, sessionId, endedAt, now }: NewProof): Promise<void> {
  const added = await tx.$executeRaw`
    insert into proof (tenant_id, memory_id, session_id, created_at)
    values (${tenantId}::uuid, ${memoryId}::uuid, ${sessionId}::uuid, ${now}) on conflict do nothing`;
  await tx.$executeRaw`
    update memory set proof_count = proof_count + ${added}, ended_at = greatest(ended_at, ${endedAt})
    where tenant_id = ${tenantId}::uuid and id = ${memoryId}::uuid`;
}

/** So many prompts of a session are kept with a memory. */
const MAX_PROMPTS = 200;

/** One prompt, as the client names it, and the session in which it was given. */
export interface SessionPrompt {
  readonly sessionId: SessionId;
  readonly key: string;
}

/** Notes from which prompt a memory was captured, with the proof that the session is; the oldest give way. */
export async function notePrompt(
  tx: Tx,
  tenantId: TenantId,
  memoryId: MemoryId,
  { sessionId, key }: SessionPrompt,
): Promise<void> {
  await tx.$executeRaw`
    update proof set prompts = (array_prepend(${key}, array_remove(prompts, ${key})))[:${MAX_PROMPTS}]
    where tenant_id = ${tenantId}::uuid and memory_id = ${memoryId}::uuid and session_id = ${sessionId}::uuid`;
}

export interface OnePromptRequest {
  readonly tenantId: TenantId;
  readonly prompt: SessionPrompt;
  readonly audience: MemoryAudience;
  readonly kind: MemoryKind;
  /** What has expired is not found by anyone. */
  readonly now: Date;
  readonly limit: number;
}

/** The author's active memories of a kind, for the same people, that were captured from one prompt; oldest first. */
export async function findOfOnePrompt(
  tx: Tx,
  { tenantId, prompt, audience, kind, now, limit }: OnePromptRequest,
): Promise<MemoryId[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from memory
    where tenant_id = ${tenantId}::uuid and ${sameAudience(audience)} and owner_id = ${audience.ownerId}::uuid
      and project_id is not distinct from ${audience.projectId}::uuid and kind = ${kind}
      and state = 'active' and superseded_by is null and (expires_at is null or expires_at > ${now})
      and id in (select p.memory_id from proof p where p.tenant_id = ${tenantId}::uuid
        and p.session_id = ${prompt.sessionId}::uuid and ${prompt.key} = any (p.prompts))
    order by created_at, id limit ${limit}`;
  return rows.map(({ id }) => asId<MemoryId>(id));
}
