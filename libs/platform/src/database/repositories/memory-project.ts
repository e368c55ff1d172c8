import { asId, type ProjectId, type TenantId } from '@tempera/core';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';

/** A project as the caller of the door stands to it. */
export interface ProjectAccess {
  readonly id: ProjectId;
  readonly slug: string;
  readonly isMember: boolean;
  /** May put memories of his own into it. */
  readonly mayCapture: boolean;
  /** May share them with it at once; where the project reviews, who only contributes has to propose. */
  readonly mayShare: boolean;
  /** May edit, pin and archive what others shared. */
  readonly mayMaintain: boolean;
  /** Nothing is captured into it any more. */
  readonly isArchived: boolean;
}

interface AccessRow {
  id: string;
  slug: string;
  is_member: boolean;
  may_capture: boolean;
  may_share: boolean;
  may_maintain: boolean;
  is_archived: boolean;
}

const ACCESS = Prisma.sql`
  select id, slug, id = any ((select my_projects())::uuid[]) as is_member,
    id = any ((select my_contributor_projects())::uuid[]) as may_capture,
    id = any ((select my_open_projects())::uuid[]) as may_share,
    id = any ((select my_maintained_projects())::uuid[]) as may_maintain, archived_at is not null as is_archived
  from project`;

/** A project by its slug; null when there is none or the caller may not see it. */
export async function findProjectAccess(tx: Tx, tenantId: TenantId, slug: string): Promise<ProjectAccess | null> {
  const rows = await tx.$queryRaw<AccessRow[]>`${ACCESS} where tenant_id = ${tenantId}::uuid and slug = ${slug}`;
  return rows[0] === undefined ? null : toAccess(rows[0]);
}

/** The same by its id. */
export async function findProjectAccessById(tx: Tx, tenantId: TenantId, id: ProjectId): Promise<ProjectAccess | null> {
  const rows = await tx.$queryRaw<AccessRow[]>`${ACCESS} where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  return rows[0] === undefined ? null : toAccess(rows[0]);
}

function toAccess(row: AccessRow): ProjectAccess {
  return {
    id: asId(row.id),
    slug: row.slug,
    isMember: row.is_member,
    mayCapture: row.may_capture,
    mayShare: row.may_share,
    mayMaintain: row.may_maintain,
    isArchived: row.is_archived,
  };
}

/** What the caller may do beyond one project. */
export interface TenantRights {
  /** May show a memory of his own to the whole tenant. */
  readonly mayShareWithTenant: boolean;
  /** May ask for it: whoever does not only read. */
  readonly mayPropose: boolean;
}

export async function myRights(tx: Tx): Promise<TenantRights> {
  const [row] = await tx.$queryRaw<TenantRights[]>`
    select is_tenant_admin() or cardinality(my_maintained_projects()) > 0 as "mayShareWithTenant",
      coalesce(my_tenant_role() <> 'viewer', false) as "mayPropose"`;
  return row ?? { mayShareWithTenant: false, mayPropose: false };
}

/** The slugs of the caller's projects, in order. */
export async function mySlugs(tx: Tx, tenantId: TenantId): Promise<string[]> {
  const rows = await tx.$queryRaw<{ slug: string }[]>`
    select slug from project where tenant_id = ${tenantId}::uuid and id = any ((select my_projects())::uuid[]) order by slug`;
  return rows.map(({ slug }) => slug);
}
