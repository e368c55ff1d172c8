import type { ProjectId, TenantId, UserId } from '@tempera/core';
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
