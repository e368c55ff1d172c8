import { asId, type GroupId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import { randomUUID } from 'node:crypto';
import type { Tx } from '../context.js';

export interface GroupRecord {
  readonly id: GroupId;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A group as the caller of the door stands to it. */
export interface GroupAccess extends GroupRecord {
  /** Is in one of its projects, and so sees what it shares. */
  readonly isMember: boolean;
  /** Maintains one of its projects, and so captures into it and decides what others propose. */
  readonly mayMaintain: boolean;
  /** Made it, and no project has joined yet. */
  readonly mayBegin: boolean;
}

const COLUMNS = { id: true, slug: true, name: true, createdAt: true } as const;
const toRecord = (row: { id: string; slug: string; name: string; createdAt: Date }): GroupRecord => ({
  ...row,
  id: asId<GroupId>(row.id),
});

/** The visible ones among these groups, in no order. */
export const findGroups = async (tx: Tx, tenantId: TenantId, ids: readonly string[]): Promise<GroupRecord[]> => {
  const rows = await tx.projectGroup.findMany({ where: { tenantId, id: { in: [...ids] } }, select: COLUMNS });
  return rows.map(toRecord);
};

/** Visible groups by slug, at most `take`, after the slug `after`. */
export const listGroups = async (
  tx: Tx,
  tenantId: TenantId,
  { after, take }: { readonly after: string | null; readonly take: number },
): Promise<GroupRecord[]> => {
  const rows = await tx.projectGroup.findMany({
    where: { tenantId, ...(after === null ? {} : { slug: { gt: after } }) },
    select: COLUMNS,
    orderBy: { slug: 'asc' },
    take,
  });
  return rows.map(toRecord);
};

interface AccessRow {
  id: string;
  slug: string;
  name: string;
  created_at: Date;
  is_member: boolean;
  may_maintain: boolean;
  may_begin: boolean;
}

/** A group by its slug; null when there is none or the caller may not see it. */
export const findGroupAccess = async (tx: Tx, tenantId: TenantId, slug: string): Promise<GroupAccess | null> => {
  const [row] = await tx.$queryRaw<AccessRow[]>`
    select id, slug, name, created_at, id = any ((select my_groups())::uuid[]) as is_member,
      id = any ((select my_maintained_groups())::uuid[]) as may_maintain,
      id = any ((select my_empty_groups())::uuid[]) as may_begin
    from project_group where tenant_id = ${tenantId}::uuid and slug = ${slug}`;
  if (row === undefined) return null;
  return {
    id: asId<GroupId>(row.id),
    slug: row.slug,
    name: row.name,
    createdAt: row.created_at,
    isMember: row.is_member,
    mayMaintain: row.may_maintain,
    mayBegin: row.may_begin,
  };
};

/** The slugs of the groups a project is in, of those that the caller is a member of; of all those without a project. */
export const myGroupSlugs = async (tx: Tx, tenantId: TenantId, projectId: ProjectId | null): Promise<string[]> => {
  const rows = await tx.$queryRaw<{ slug: string }[]>`
    select g.slug from project_group g
    where g.tenant_id = ${tenantId}::uuid and g.id = any ((select my_groups())::uuid[])
      and (${projectId}::uuid is null or exists (select from group_project p
        where p.tenant_id = g.tenant_id and p.group_id = g.id and p.project_id = ${projectId}::uuid))
    order by g.slug`;
  return rows.map(({ slug }) => slug);
};

export interface NewGroup {
  readonly slug: string;
  readonly name: string;
  readonly createdBy: UserId;
  readonly createdAt: Date;
}

/** Makes an empty group. @throws a unique violation for a taken slug */
export const insertGroup = async (tx: Tx, tenantId: TenantId, group: NewGroup): Promise<GroupRecord> => {
  const id = randomUUID();
  // Without RETURNING: that its maker sees an empty group is known from the next statement on.
  await tx.projectGroup.createMany({ data: { tenantId, id, ...group } });
  return { id: asId<GroupId>(id), slug: group.slug, name: group.name, createdAt: group.createdAt };
};

/** @throws a unique violation for a taken slug */
export const changeGroup = async (
  tx: Tx,
  tenantId: TenantId,
  id: GroupId,
  change: { readonly slug?: string; readonly name?: string },
): Promise<boolean> => (await tx.projectGroup.updateMany({ where: { tenantId, id }, data: change })).count > 0;

/** @throws AppError `conflict` while memories are shared with the group */
export const deleteGroup = async (tx: Tx, tenantId: TenantId, id: GroupId): Promise<boolean> =>
  (await tx.projectGroup.deleteMany({ where: { tenantId, id } })).count > 0;

/** @throws a unique violation for a project that is in it */
export const addToGroup = async (tx: Tx, tenantId: TenantId, groupId: GroupId, projectId: ProjectId): Promise<void> => {
  await tx.groupProject.createMany({ data: { tenantId, groupId, projectId } });
};

/** @throws AppError `conflict` while memories of the project are shared with the group */
export const removeFromGroup = async (
  tx: Tx,
  tenantId: TenantId,
  groupId: GroupId,
  projectId: ProjectId,
): Promise<boolean> => (await tx.groupProject.deleteMany({ where: { tenantId, groupId, projectId } })).count > 0;

/** The projects of these groups, in the order of joining; ids only, because not every member is in every project. */
export const findGroupProjects = async (
  tx: Tx,
  tenantId: TenantId,
  groupIds: readonly GroupId[],
): Promise<{ readonly groupId: GroupId; readonly projectId: ProjectId }[]> => {
  const rows = await tx.groupProject.findMany({
    where: { tenantId, groupId: { in: [...groupIds] } },
    select: { groupId: true, projectId: true },
    orderBy: [{ createdAt: 'asc' }, { projectId: 'asc' }],
  });
  return rows.map((row) => ({ groupId: asId<GroupId>(row.groupId), projectId: asId<ProjectId>(row.projectId) }));
};

/** Moves a group's memories back to the projects they come from; of one project, or all. @returns how many */
export const returnGroupMemories = async (tx: Tx, groupId: GroupId, projectId: ProjectId | null): Promise<number> => {
  const [row] = await tx.$queryRaw<{ returned: number }[]>`
    select return_group_memories(${groupId}::uuid, ${projectId}::uuid) as returned`;
  return row?.returned ?? 0;
};
