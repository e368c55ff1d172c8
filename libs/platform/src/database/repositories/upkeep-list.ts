import { asId, type GroupId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { UpkeepKind } from './upkeep-run.js';

/** A run with what it did to memories that the caller sees. */
export interface ListedUpkeepRun {
  readonly id: string;
  readonly kind: UpkeepKind;
  /** The project's slug; null where it is of no project. */
  readonly project: string | null;
  readonly groupId: GroupId | null;
  /** Who did it; null where a night did it to what is shared. */
  readonly madeBy: UserId | null;
  /** The night that did it; null where a person did. */
  readonly maintenanceRunId: string | null;
  readonly merged: number;
  readonly pruned: number;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
}

/** Where a list goes on. */
export interface UpkeepPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Runs that the caller may take back, or could have, latest first: the policies of the table are the rule of `undo` too.
 * One that did nothing to what the caller sees is left out.
 */
export const listUpkeepRuns = async (
  tx: Tx,
  tenantId: TenantId,
  { take, after, undone }: { readonly take: number; readonly after: UpkeepPosition | null; readonly undone: boolean },
): Promise<ListedUpkeepRun[]> => {
  const rows = await tx.$queryRaw<
    (Omit<ListedUpkeepRun, 'groupId' | 'madeBy'> & Record<'groupId' | 'madeBy', string | null>)[]
  >`
    select r.id, r.kind, p.slug as project, r.group_id as "groupId", r.made_by as "madeBy",
      r.maintenance_run_id as "maintenanceRunId", e.merged, e.pruned, r.created_at as "createdAt", r.undone_at as "undoneAt"
    from upkeep_run r left join project p on p.tenant_id = r.tenant_id and p.id = r.project_id
      cross join lateral (select (count(*) filter (where x.action = 'merged'))::int as merged,
        (count(*) filter (where x.action = 'pruned'))::int as pruned
        from upkeep_effect x where x.tenant_id = r.tenant_id and x.run_id = r.id) e
    where r.tenant_id = ${tenantId}::uuid and e.merged + e.pruned > 0 and (r.undone_at is not null) = ${undone}
      and (${after === null} or (date_trunc('milliseconds', r.created_at), r.id)
        < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by date_trunc('milliseconds', r.created_at) desc, r.id desc limit ${take}::int`;
  return rows.map(({ groupId, madeBy, ...row }) => ({
    ...row,
    groupId: groupId === null ? null : asId<GroupId>(groupId),
    madeBy: madeBy === null ? null : asId<UserId>(madeBy),
  }));
};
