import { asId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';

/** What a person may do in one project. */
export type ProjectRole = 'maintainer' | 'contributor' | 'reader';

export interface ProjectRecord {
  readonly id: ProjectId;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Since when nothing is captured into it, and searches without its name pass it by; null while it is in use. */
  readonly archivedAt: Date | null;
  /** Who only contributes proposes what is shared into it. */
  readonly reviewRequired: boolean;
}

export interface MembershipRecord {
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly role: ProjectRole;
}

const COLUMNS = { id: true, slug: true, name: true, createdAt: true, archivedAt: true, reviewRequired: true } as const;
const toRecord = (row: Omit<ProjectRecord, 'id'> & { readonly id: string }): ProjectRecord => ({
  ...row,
  id: asId<ProjectId>(row.id),
});

/** The project with this slug, when the caller may see it. */
export const findProjectBySlug = async (tx: Tx, tenantId: TenantId, slug: string): Promise<ProjectRecord | null> => {
  const row = await tx.project.findFirst({ where: { tenantId, slug }, select: COLUMNS });
  return row === null ? null : toRecord(row);
};

/** The visible ones among these projects, in no order. */
export const findProjects = async (tx: Tx, tenantId: TenantId, ids: readonly string[]): Promise<ProjectRecord[]> => {
  const rows = await tx.project.findMany({ where: { tenantId, id: { in: [...ids] } }, select: COLUMNS });
  return rows.map(toRecord);
};

/** Visible projects by slug, at most `take`, after the slug `after`: those in use, or the archived ones. */
export const listProjects = async (
  tx: Tx,
  tenantId: TenantId,
  { archived, after, take }: { readonly archived: boolean; readonly after: string | null; readonly take: number },
): Promise<ProjectRecord[]> => {
  const rows = await tx.project.findMany({
    where: {
      tenantId,
      archivedAt: archived ? { not: null } : null,
      ...(after === null ? {} : { slug: { gt: after } }),
    },
    select: COLUMNS,
    orderBy: { slug: 'asc' },
    take,
  });
  return rows.map(toRecord);
};

export interface NewProject {
  readonly slug: string;
  readonly name: string;
  /** Normalised. */
  readonly remotes: readonly string[];
  readonly createdBy: UserId;
  readonly createdAt: Date;
}

/** Inserts a project with its remotes; a trigger makes its creator a maintainer. @throws a unique violation for a taken slug or remote */
export const insertProject = async (tx: Tx, tenantId: TenantId, project: NewProject): Promise<ProjectRecord> => {
  const { remotes, ...columns } = project;
  const row = await tx.project.create({ data: { tenantId, ...columns }, select: COLUMNS });
  if (remotes.length > 0) {
    const data = remotes.map((remote) => ({ tenantId, remote, projectId: row.id, createdAt: project.createdAt }));
    await tx.projectRemote.createMany({ data });
  }
  return toRecord(row);
};

/** What may change of a project; absent parts stay. */
export interface ProjectChange {
  readonly slug?: string;
  readonly name?: string;
  readonly archivedAt?: Date | null;
  readonly reviewRequired?: boolean;
}

/** @throws a unique violation for a taken slug, a refusal for who may not */
export const updateProject = async (
  tx: Tx,
  tenantId: TenantId,
  id: ProjectId,
  change: ProjectChange,
): Promise<void> => {
  await tx.project.updateMany({ where: { tenantId, id }, data: change });
};

/** @throws a unique violation for a remote that some project of the tenant has */
export const insertRemote = async (
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId,
  remote: string,
  createdAt: Date,
): Promise<void> => {
  await tx.projectRemote.createMany({ data: [{ tenantId, projectId, remote, createdAt }] });
};

/** @returns whether the project had it */
export const deleteRemote = async (
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId,
  remote: string,
): Promise<boolean> => (await tx.projectRemote.deleteMany({ where: { tenantId, projectId, remote } })).count > 0;

/** Remotes of these projects, in order. */
export const findRemotes = async (
  tx: Tx,
  tenantId: TenantId,
  projectIds: readonly ProjectId[],
): Promise<{ readonly projectId: ProjectId; readonly remote: string }[]> => {
  const rows = await tx.projectRemote.findMany({
    where: { tenantId, projectId: { in: [...projectIds] } },
    select: { projectId: true, remote: true },
    orderBy: { remote: 'asc' },
  });
  return rows.map((row) => ({ ...row, projectId: asId<ProjectId>(row.projectId) }));
};

const toMembership = (row: { projectId: string; userId: string; role: string }): MembershipRecord => ({
  projectId: asId<ProjectId>(row.projectId),
  userId: asId<UserId>(row.userId),
  // The column's check allows no other word.
  role: row.role as ProjectRole,
});
const MEMBERSHIP_COLUMNS = { projectId: true, userId: true, role: true } as const;

/** Memberships of these projects that the caller may see, in the order of joining. */
export const findMemberships = async (
  tx: Tx,
  tenantId: TenantId,
  projectIds: readonly ProjectId[],
): Promise<MembershipRecord[]> => {
  const rows = await tx.membership.findMany({
    where: { tenantId, projectId: { in: [...projectIds] } },
    select: MEMBERSHIP_COLUMNS,
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  });
  return rows.map(toMembership);
};

/** What a person belongs to, as far as the caller may see it. */
export const findMembershipsOf = async (tx: Tx, tenantId: TenantId, userId: UserId): Promise<MembershipRecord[]> => {
  const rows = await tx.membership.findMany({ where: { tenantId, userId }, select: MEMBERSHIP_COLUMNS });
  return rows.map(toMembership);
};

/** Adds a person to a project, or changes the role there. */
export const putMembership = async (tx: Tx, tenantId: TenantId, membership: MembershipRecord): Promise<void> => {
  const { projectId, userId, role } = membership;
  const changed = await tx.membership.updateMany({ where: { tenantId, projectId, userId }, data: { role } });
  if (changed.count === 0) await tx.membership.createMany({ data: [{ tenantId, projectId, userId, role }] });
};

/** @returns whether there was such a membership */
export const deleteMembership = async (
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId,
  userId: UserId,
): Promise<boolean> => (await tx.membership.deleteMany({ where: { tenantId, projectId, userId } })).count > 0;

/** Takes a person out of every project of the tenant. */
export const deleteMembershipsOf = async (tx: Tx, tenantId: TenantId, userId: UserId): Promise<void> => {
  await tx.membership.deleteMany({ where: { tenantId, userId } });
};
