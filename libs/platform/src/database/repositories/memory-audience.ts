import type { ProjectId, Scope, UserId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';

/** Who sees a memory, as its row says it. */
export interface MemoryAudience {
  readonly scope: Scope;
  readonly ownerId: UserId;
  readonly projectId: ProjectId | null;
}

/** The rows that exactly the same people see, on a table that carries scope, owner_id and project_id. */
export function sameAudience({ scope, ownerId, projectId }: MemoryAudience): Prisma.Sql {
  switch (scope) {
    case 'private':
      return Prisma.sql`scope = 'private' and owner_id = ${ownerId}::uuid`;
    case 'project':
      return Prisma.sql`scope = 'project' and project_id = ${projectId}::uuid`;
    case 'group':
    case 'tenant':
      return Prisma.sql`scope = ${scope}`;
  }
}
