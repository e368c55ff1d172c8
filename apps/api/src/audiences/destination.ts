import { AppError } from '@tempera/client-kit';
import type { ProjectId, Scope } from '@tempera/core';
import {
  type AudienceTarget,
  findProjectAccess,
  findProjectAccessById,
  myRights,
  type ProjectAccess,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { groupOf } from '../groups/group-of.js';
import { refuse } from '../memories/check-input.js';
import { noSuchProject } from '../projects/require-project.js';

/** Where a memory is to go, and by what right. */
export interface Destination {
  readonly target: AudienceTarget;
  /** The caller may put a memory of his there. */
  readonly mayPut: boolean;
  /** He may ask those who decide there to let it in. */
  readonly mayPropose: boolean;
}

export interface DestinationWish {
  readonly scope: Scope;
  readonly project: string | null;
  readonly group: string | null;
  /** The project that the memory belongs to, where none is named. */
  readonly home: ProjectId | null;
}

/**
 * Finds what a caller names. @throws AppError `invalid-input` for what is not said, `not-found` for a hidden or missing
 * project or group, `forbidden` where the caller is no member, `conflict` for a project that is not in the group
 */
export const findDestination = async (tx: Tx, caller: Caller, wish: DestinationWish): Promise<Destination> => {
  switch (wish.scope) {
    case 'private':
      return { target: { scope: 'private', projectId: wish.home, groupId: null }, mayPut: true, mayPropose: false };
    case 'project': {
      const { id, mayShare, mayCapture } = await projectOf(tx, caller, wish);
      return {
        target: { scope: 'project', projectId: id, groupId: null },
        mayPut: mayShare,
        mayPropose: mayCapture,
      };
    }
    case 'group': {
      const project = await projectOf(tx, caller, wish);
      const group = await groupOf(tx, caller, wish.group, project);
      return {
        target: { scope: 'group', projectId: project.id, groupId: group.id },
        mayPut: group.mayMaintain,
        mayPropose: project.mayCapture,
      };
    }
    case 'tenant': {
      const { mayShareWithTenant, mayPropose } = await myRights(tx);
      return { target: { scope: 'tenant', projectId: null, groupId: null }, mayPut: mayShareWithTenant, mayPropose };
    }
  }
};

const projectOf = async (tx: Tx, caller: Caller, { scope, project, home }: DestinationWish): Promise<ProjectAccess> => {
  let access: ProjectAccess | null;
  if (project !== null) access = await findProjectAccess(tx, caller.tenantId, project);
  else if (home !== null) access = await findProjectAccessById(tx, caller.tenantId, home);
  else {
    const word = scope.toUpperCase();
    throw refuse('project-needed', `Scope ${word} needs \`project\`, the slug of one of your projects.`);
  }
  if (access === null) throw noSuchProject();
  if (!access.isMember) throw new AppError('forbidden', 'not-a-member', 'You are not a member of this project.');
  if (access.isArchived) {
    throw new AppError('conflict', 'project-archived', 'This project is archived; restore it to share into it.');
  }
  return access;
};
