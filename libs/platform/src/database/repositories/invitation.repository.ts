import { asId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { TenantRole } from '../system-functions.js';
import type { ProjectRole } from './project.repository.js';

/** A one-time code: for a new person, or (with `userId`) for one who wants to log in elsewhere. */
export interface NewInvitation {
  readonly id: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly role: TenantRole;
  readonly project: { readonly id: ProjectId; readonly role: ProjectRole } | null;
  readonly userId: UserId | null;
  readonly codeHash: Uint8Array<ArrayBuffer>;
  readonly invitedBy: UserId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Inserts without reading back: the hash can be written and never read. @throws a refusal of the database */
export const insertInvitation = async (tx: Tx, tenantId: TenantId, invitation: NewInvitation): Promise<void> => {
  const { project, ...columns } = invitation;
  await tx.invitation.createMany({
    data: [{ tenantId, ...columns, projectId: project?.id ?? null, projectRole: project?.role ?? null }],
  });
};

/** An invitation as admins see it: never its code. */
export interface InvitationRecord {
  readonly id: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly role: TenantRole;
  /** Slug of the project it leads into. */
  readonly project: string | null;
  readonly projectRole: ProjectRole | null;
  /** Null for the first owner's, which an operator made. */
  readonly invitedBy: UserId | null;
  readonly createdAt: Date;
  /** Creation as the database writes it, to the microsecond, for paging. */
  readonly createdAtText: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Where a page of invitations begins: after this row. */
export interface InvitationPosition {
  readonly createdAtText: string;
  readonly id: string;
}

type InvitationRow = Omit<InvitationRecord, 'invitedBy'> & { readonly invitedBy: string | null };

/** Codes that people make for themselves are no invitations. */
const INVITATIONS = Prisma.sql`
  select i.id, i.display_name as "displayName", i.email, i.role, p.slug as project, i.project_role as "projectRole",
    i.invited_by as "invitedBy", i.created_at as "createdAt", i.created_at::text as "createdAtText",
    i.expires_at as "expiresAt", i.used_at as "usedAt", i.revoked_at as "revokedAt"
  from invitation i left join project p on p.tenant_id = i.tenant_id and p.id = i.project_id
  where i.user_id is null`;

const toRecord = (row: InvitationRow): InvitationRecord => ({
  ...row,
  invitedBy: row.invitedBy === null ? null : asId<UserId>(row.invitedBy),
});

/** Invitations, newest first, at most `take`; none for who is no admin. */
export const listInvitations = async (
  tx: Tx,
  tenantId: TenantId,
  { after, take }: { readonly after: InvitationPosition | null; readonly take: number },
): Promise<InvitationRecord[]> => {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`and (i.created_at, i.id) < (${after.createdAtText}::timestamptz, ${after.id}::uuid)`;
  const rows = await tx.$queryRaw<InvitationRow[]>`
    ${INVITATIONS} and i.tenant_id = ${tenantId}::uuid ${begin} order by i.created_at desc, i.id desc limit ${take}`;
  return rows.map(toRecord);
};

export const findInvitation = async (tx: Tx, tenantId: TenantId, id: string): Promise<InvitationRecord | null> => {
  const [row] = await tx.$queryRaw<InvitationRow[]>`
    ${INVITATIONS} and i.tenant_id = ${tenantId}::uuid and i.id = ${id}::uuid`;
  return row === undefined ? null : toRecord(row);
};

/** Takes an unused invitation back. @returns whether this call did */
export const revokeInvitation = async (tx: Tx, tenantId: TenantId, id: string, at: Date): Promise<boolean> => {
  const where = { tenantId, id, userId: null, usedAt: null, revokedAt: null };
  return (await tx.invitation.updateMany({ where, data: { revokedAt: at } })).count > 0;
};
