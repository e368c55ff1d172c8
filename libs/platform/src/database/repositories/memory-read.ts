import { asId, type MemoryId, type TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import { type MemoryRecord, type MemoryRow, toMemoryRecord } from './memory-record.js';

/** The columns of a {@link MemoryRow}; `m` is memory, `s` its memory_stat. */
export const MEMORY_COLUMNS = Prisma.sql`
  m.id, m.owner_id, m.project_id, m.group_id, m.scope, m.kind, m.title, m.text, m.task_type, m.outcome, m.tags, m.files_modified,
  m.errors_resolved, m.alternatives, m.validity, m.verification, m.pinned, m.expires_at, m.session_id, m.revision,
  m.proof_count + s.joined_proofs as proof_count, m.state, m.state_since, m.state_reason, m.merged_into, m.embedding_state, m.written_by, m.written_as, m.text_since, m.valid_from, m.valid_to, m.superseded_at, m.ended_at, m.created_at, m.updated_at,
  m.created_at::text as created_at_text, s.helpful, s.unhelpful, s.helpful_voters, s.helpful_others, s.asked_retrievals,
  s.credit, s.propagated, s.reached, s.last_useful_at,
  (select (x.value #>> '{}')::float8 from setting x where x.tenant_id = (select current_tenant())
    and x.project_id is null and x.key = 'bellman.decay_rate') as none_rate,
  case when s.lent > 0 then seen_lender(m.id) end as visible_lent_from,
  (select n.id from memory n where n.tenant_id = m.tenant_id and n.id = m.superseded_by) as visible_superseded_by,
  (select n.id from memory n where n.tenant_id = m.tenant_id and n.id = m.refuted_by) as visible_refuted_by`;

export const MEMORY_SOURCE = Prisma.sql`memory m join memory_stat s on s.tenant_id = m.tenant_id and s.memory_id = m.id`;

/** Those of the memories that the caller may see, in any state; hidden and missing ones are both just not there. */
export async function readMemories(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, MemoryRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.$queryRaw<MemoryRow[]>`/* kept */
    select ${MEMORY_COLUMNS} from ${MEMORY_SOURCE}
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])`;
  return new Map(rows.map(toMemoryRecord).map((record) => [record.id, record]));
}

/** The visible memories whose id begins with these hex characters, at most `limit`. */
export async function findByIdPrefix(tx: Tx, tenantId: TenantId, prefix: string, limit: number): Promise<MemoryId[]> {
  // A range of the key rather than a pattern over its text: the key's index can find it.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from memory
    where tenant_id = ${tenantId}::uuid and id between ${padded(prefix, '0')}::uuid and ${padded(prefix, 'f')}::uuid
    order by id limit ${limit}`;
  return rows.map(({ id }) => asId<MemoryId>(id));
}

/** A UUID that begins with these hex characters and goes on with one digit. */
function padded(prefix: string, digit: string): string {
  const hex = prefix.padEnd(32, digit);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
