import type { GroupId, ProjectId, Scope, UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';

/** Who sees a memory, as its row says it. */
export interface MemoryAudience {
  readonly scope: Scope;
  readonly ownerId: UserId;
  readonly projectId: ProjectId | null;
  /** Set for scope `group`, whose `projectId` is the project it comes from. */
  readonly groupId: GroupId | null;
}

/** The rows that exactly the same people see, on a table that carries scope, owner_id, project_id and group_id. */
export function sameAudience({ scope, ownerId, projectId, groupId }: MemoryAudience): Prisma.Sql {
  switch (scope) {
    case 'private':
      return Prisma.sql`scope = 'private' and owner_id = ${ownerId}::uuid`;
    case 'project':
      return Prisma.sql`scope = 'project' and project_id = ${projectId}::uuid`;
    case 'group':
      return Prisma.sql`scope = 'group' and group_id = ${groupId}::uuid`;
    case 'tenant':
      return Prisma.sql`scope = 'tenant'`;
  }
}

/** One name for all memories that exactly the same people see. */
export function audienceName({ scope, ownerId, projectId, groupId }: MemoryAudience): string {
  const of = { private: ownerId, project: projectId, group: groupId, tenant: null }[scope];
  return of === null ? scope : `${scope}:${of}`;
}
