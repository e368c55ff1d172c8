import type { TenantId, UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** One client's key for one request. */
export interface IdempotentRequest {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly key: string;
  readonly operation: string;
  /** Digest of what was asked; the same key with another one is a mistake of the client. */
  readonly requestHash: Uint8Array;
}

/** What a key was used for before. The response holds ids and states, never texts. */
export interface KnownRequest {
  readonly isSame: boolean;
  readonly response: unknown;
}

/** Looks a key up. The caller must hold {@link lockCaptures}, so that two of one kind cannot both find nothing. */
export async function findIdempotencyKey(tx: Tx, request: IdempotentRequest): Promise<KnownRequest | null> {
  const rows = await tx.$queryRaw<{ is_same: boolean; response: unknown }[]>`/* kept */ 
    select operation = ${request.operation} and request_hash = ${Buffer.from(request.requestHash)} as is_same, response
    from idempotency_key
    where tenant_id = ${request.tenantId}::uuid and user_id = ${request.userId}::uuid and key = ${request.key}`;
  const row = rows[0];
  return row === undefined ? null : { isSame: row.is_same, response: row.response };
}

/** Remembers a key with what it led to, in the transaction that did the work. */
export async function insertIdempotencyKey(
  tx: Tx,
  request: IdempotentRequest,
  response: object,
  now: Date,
): Promise<void> {
  await tx.$executeRaw`/* kept */ 
    insert into idempotency_key (tenant_id, user_id, key, operation, request_hash, response, created_at)
    values (${request.tenantId}::uuid, ${request.userId}::uuid, ${request.key}, ${request.operation},
      ${Buffer.from(request.requestHash)}, ${JSON.stringify(response)}::jsonb, ${now})`;
}

/**
 * Lets one capture of a person through at a time, until the transaction ends: two paraphrases sent at once must see each
 * other to merge, and a repeated request must see its first. Captures of different people do not wait for each other.
 * (PGlite never locks, and need not: it runs one transaction at a time.)
 */
export async function lockCaptures(tx: Tx, tenantId: TenantId, userId: UserId): Promise<void> {
  await tx.$executeRaw`/* kept */ select pg_advisory_xact_lock(hashtextextended(${`capture:${tenantId}:${userId}`}, 0))`;
}
