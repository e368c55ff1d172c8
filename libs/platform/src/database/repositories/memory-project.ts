import { asId, type ProjectId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';

/** A project as the caller of the door stands to it. */
export interface ProjectAccess {
  readonly id: ProjectId;
  readonly slug: string;
  readonly isMember: boolean;
  /** May put memories of his own into it. */
  readonly mayCapture: boolean;
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
  may_maintain: boolean;
  is_archived: boolean;
}

/** A project by its slug; null when there is none or the caller may not see it. */
export async function findProjectAccess(tx: Tx, tenantId: TenantId, slug: string): Promise<ProjectAccess | null> {
  const rows = await tx.$queryRaw<AccessRow[]>`
    select id, slug, id = any ((select my_projects())::uuid[]) as is_member,
      id = any ((select my_contributor_projects())::uuid[]) as may_capture,
      id = any ((select my_maintained_projects())::uuid[]) as may_maintain, archived_at is not null as is_archived
    from project where tenant_id = ${tenantId}::uuid and slug = ${slug}`;
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: asId(row.id),
    slug: row.slug,
    isMember: row.is_member,
    mayCapture: row.may_capture,
    mayMaintain: row.may_maintain,
    isArchived: row.is_archived,
  };
}

/** The slugs of the caller's projects, in order. */
export async function mySlugs(tx: Tx, tenantId: TenantId): Promise<string[]> {
  const rows = await tx.$queryRaw<{ slug: string }[]>`
    select slug from project where tenant_id = ${tenantId}::uuid and id = any ((select my_projects())::uuid[]) order by slug`;
  return rows.map(({ slug }) => slug);
}
