import { asId, type MemoryId, type MemoryKind, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import { type MemoryAudience, sameAudience } from './memory-audience.js';

export interface SameTextRequest {
  readonly tenantId: TenantId;
  readonly audience: MemoryAudience;
  readonly kind: MemoryKind;
  readonly text: string;
  /** What has expired is not found by anyone. */
  readonly now: Date;
  /** Not itself. */
  readonly except?: MemoryId;
}

/** What `trim()` takes off. */
const SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
/** Space around a text beyond this makes it another one: lengths are known without unpacking each long text. */
const MOST_SPACE_BYTES = 1_024;

/** The author's oldest active memory with this text, but for the space around it, for the same people and of the same kind; null without one. */
export async function findSameText(tx: Tx, request: SameTextRequest): Promise<MemoryId | null> {
  const { tenantId, audience, kind, text, except, now } = request;
  const trimmed = text.trim();
  const bytes = Buffer.byteLength(trimmed);
  const rows = await tx.$queryRaw<{ id: string }[]>`/* kept */ 
    select id from memory
    where tenant_id = ${tenantId}::uuid and ${sameAudience(audience)} and owner_id = ${audience.ownerId}::uuid
      and project_id is not distinct from ${audience.projectId}::uuid and kind = ${kind}
      and octet_length(text) between ${bytes} and ${bytes + MOST_SPACE_BYTES} and btrim(text, ${SPACE}) = ${trimmed}
      and state = 'active' and superseded_by is null and (expires_at is null or expires_at > ${now})
      and id is distinct from ${except ?? null}::uuid
    order by created_at, id limit 1`;
  const row = rows[0];
  return row === undefined ? null : asId<MemoryId>(row.id);
}

/** What may be set differently where the same words are said again; the guard is asked about what that may mean. */
const MARKS = `${SPACE}.,;:!…。，、；：！"'“”‘’\``;
/** So many marks fewer at most. */
const MOST_MARKS_BYTES = 256;
/** Of texts in the same letters so many are looked at. */
const SAME_LETTERS = 5;

/** A memory that was found to be false. */
export interface RefutedText {
  readonly id: MemoryId;
  readonly text: string;
}

/**
 * The memories that were refuted last with this text, but for marks, space and case, for the same people; whoever wrote them,
 * and of whatever kind.
 */
export async function findRefutedTexts(
  tx: Tx,
  { tenantId, audience, text }: Pick<SameTextRequest, 'tenantId' | 'audience' | 'text'>,
): Promise<RefutedText[]> {
  const trimmed = text.trim();
  const bytes = Buffer.byteLength(trimmed);
  const rows = await tx.$queryRaw<{ id: string; text: string }[]>`/* kept */ 
    select id, text from memory
    where tenant_id = ${tenantId}::uuid and ${sameAudience(audience)} and state = 'refuted'
      and octet_length(text) between ${bytes - MOST_MARKS_BYTES} and ${bytes + MOST_SPACE_BYTES}
      and lower(translate(text, ${MARKS}, '')) = lower(translate(${trimmed}, ${MARKS}, ''))
    order by state_since desc, id limit ${SAME_LETTERS}`;
  return rows.map((row) => ({ id: asId<MemoryId>(row.id), text: row.text }));
}
