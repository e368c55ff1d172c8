import {
  asId,
  type GroupId,
  type MemoryId,
  type ProjectId,
  type Scope,
  type TenantId,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';
import type { MemoryAudience } from './memory-audience.js';

/** Where a memory is to be seen. */
export type AudienceTarget = Omit<MemoryAudience, 'ownerId'>;

export const AUDIENCE_ACTIONS = ['share', 'demote', 'transfer', 'approve', 'undo'] as const;
export type AudienceAction = (typeof AUDIENCE_ACTIONS)[number];

/** One change of who sees a memory. */
export interface AudienceChangeRecord {
  readonly id: string;
  readonly memoryId: MemoryId;
  /** 1, 2, … within the memory. */
  readonly number: number;
  readonly action: AudienceAction;
  readonly from: MemoryAudience;
  readonly to: MemoryAudience;
  /** Who did it; none: nobody who was logged in. */
  readonly actorId: UserId | null;
  readonly createdAt: Date;
  /** The change that took it back. */
  readonly undoneBy: string | null;
}

/**
 * Shows the caller's memory to more people, or others. Nothing happens where they see it already.
 * @throws AppError `not-found`, `forbidden` (not the owner; the project reviews), `conflict` (would narrow), and what a
 *   policy refuses (42501)
 */
export const shareMemory = async (tx: Tx, id: MemoryId, to: AudienceTarget): Promise<void> => {
  await tx.$executeRaw`select share_memory(${id}::uuid, ${to.scope}, ${to.projectId}::uuid, ${to.groupId}::uuid)`;
};

/** Shows the caller's memory to fewer people. @throws as {@link shareMemory} */
export const demoteMemory = async (tx: Tx, id: MemoryId, to: AudienceTarget): Promise<void> => {
  await tx.$executeRaw`select demote_memory(${id}::uuid, ${to.scope}, ${to.projectId}::uuid, ${to.groupId}::uuid)`;
};

/** Gives a shared memory to someone who could have captured it there. @throws AppError `not-found`, `forbidden`, `conflict` */
export const transferMemory = async (tx: Tx, id: MemoryId, to: UserId): Promise<void> => {
  await tx.$executeRaw`select transfer_memory(${id}::uuid, ${to}::uuid)`;
};

/** Takes the latest change back. @throws AppError `not-found`, `forbidden`, `conflict`; what a policy refuses (42501) */
export const undoAudienceChange = async (tx: Tx, changeId: string): Promise<void> => {
  await tx.$executeRaw`select undo_audience_change(${changeId}::uuid)`;
};

interface ChangeRow {
  id: string;
  memoryId: string;
  number: number;
  action: string;
  fromScope: string;
  fromProjectId: string | null;
  fromGroupId: string | null;
  fromOwnerId: string;
  toScope: string;
  toProjectId: string | null;
  toGroupId: string | null;
  toOwnerId: string;
  actorId: string | null;
  createdAt: Date;
  undoneBy: string | null;
}

const audience = (scope: string, owner: string, project: string | null, group: string | null): MemoryAudience => ({
  scope: scope as Scope,
  ownerId: asId<UserId>(owner),
  projectId: project === null ? null : asId<ProjectId>(project),
  groupId: group === null ? null : asId<GroupId>(group),
});

const toRecord = (row: ChangeRow): AudienceChangeRecord => ({
  id: row.id,
  memoryId: asId<MemoryId>(row.memoryId),
  number: row.number,
  action: row.action as AudienceAction,
  from: audience(row.fromScope, row.fromOwnerId, row.fromProjectId, row.fromGroupId),
  to: audience(row.toScope, row.toOwnerId, row.toProjectId, row.toGroupId),
  actorId: row.actorId === null ? null : asId<UserId>(row.actorId),
  createdAt: row.createdAt,
  undoneBy: row.undoneBy,
});

/** The newest changes of each memory, as far as the caller may read them: its owner, and who may edit it. */
export const readAudienceChanges = async (
  tx: Tx,
  tenantId: TenantId,
  memoryIds: readonly MemoryId[],
  perMemory: number,
): Promise<AudienceChangeRecord[]> => {
  const rows = await tx.$queryRaw<ChangeRow[]>`
    select c.id, c.memory_id as "memoryId", c.number, c.action, c.from_scope as "fromScope",
      c.from_project_id as "fromProjectId", c.from_group_id as "fromGroupId", c.from_owner_id as "fromOwnerId",
      c.to_scope as "toScope", c.to_project_id as "toProjectId", c.to_group_id as "toGroupId",
      c.to_owner_id as "toOwnerId", c.actor_id as "actorId", c.created_at as "createdAt", c.undone_by as "undoneBy"
    from unnest(${[...memoryIds]}::uuid[]) as m (id) cross join lateral (
      select * from audience_change x where x.tenant_id = ${tenantId}::uuid and x.memory_id = m.id
      order by x.number desc limit ${perMemory}
    ) c order by c.memory_id, c.number desc`;
  return rows.map(toRecord);
};

/** A change that the caller may read. */
export const findAudienceChange = async (
  tx: Tx,
  tenantId: TenantId,
  id: string,
): Promise<AudienceChangeRecord | null> => {
  const row = await tx.audienceChange.findFirst({ where: { tenantId, id } });
  return row === null ? null : toRecord(row);
};
