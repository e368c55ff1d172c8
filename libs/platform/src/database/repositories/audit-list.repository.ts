import type { TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';

/** One row of a tenant's audit. `details` holds ids and names of fields, never contents. */
export interface AuditRow {
  readonly seq: bigint;
  readonly at: Date;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
}

export interface AuditListFilter {
  readonly action?: string;
  readonly actorId?: string;
  readonly subjectId?: string;
  readonly from?: Date;
  readonly to?: Date;
}

const COLUMNS = Prisma.sql`seq, at, actor_kind as "actorKind", actor_id as "actorId", action,
  subject_kind as "subjectKind", subject_id as "subjectId", details, previous_hash as "previousHash", hash`;

/** Newest first, before a row; what the caller may see: an admin's tenant's. */
export const listAudit = (
  tx: Tx,
  tenantId: TenantId,
  { action, actorId, subjectId, from, to }: AuditListFilter,
  { before, take }: { readonly before: bigint | null; readonly take: number },
): Promise<AuditRow[]> =>
  tx.$queryRaw<AuditRow[]>`
    select ${COLUMNS} from audit where tenant_id = ${tenantId}::uuid
      ${before === null ? Prisma.empty : Prisma.sql`and seq < ${before}::bigint`}
      ${action === undefined ? Prisma.empty : Prisma.sql`and action = ${action}`}
      ${actorId === undefined ? Prisma.empty : Prisma.sql`and actor_id = ${actorId}::uuid`}
      ${subjectId === undefined ? Prisma.empty : Prisma.sql`and subject_id = ${subjectId}::uuid`}
      ${from === undefined ? Prisma.empty : Prisma.sql`and at >= ${from}`}
      ${to === undefined ? Prisma.empty : Prisma.sql`and at < ${to}`}
    order by seq desc limit ${take}::int`;

/** Oldest first, after a row, each as its JSON is hashed: microseconds are not lost on the way. */
export const exportAuditRows = async (
  tx: Tx,
  tenantId: TenantId,
  after: bigint,
  take: number,
): Promise<{ readonly seq: bigint; readonly line: string }[]> =>
  tx.$queryRaw<{ seq: bigint; line: string }[]>`
    select seq, jsonb_build_object('tenant', tenant_id, 'seq', seq, 'atMicros', (extract(epoch from at) * 1000000)::bigint,
      'at', at, 'actorKind', actor_kind, 'actor', actor_id, 'action', action, 'subjectKind', subject_kind,
      'subject', subject_id, 'details', details, 'previousHash', encode(previous_hash, 'hex'),
      'hash', encode(hash, 'hex'))::text as line
    from audit where tenant_id = ${tenantId}::uuid and seq > ${after}::bigint order by seq limit ${take}::int`;
