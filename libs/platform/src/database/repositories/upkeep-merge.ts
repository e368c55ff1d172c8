import { asId, type MemoryId, type TenantId } from '@tempera/core';
import type { Tx } from '../context.js';
import type { Alternative, ErrorResolution } from './memory-record.js';

/** What a merge can change of a survivor, as its row holds it: what `merge_state` makes. */
export interface MergeState {
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly errorsResolved: readonly ErrorResolution[];
  readonly alternatives: readonly Alternative[];
  readonly taskType: string | null;
  readonly outcome: string | null;
  readonly validity: string;
  readonly verification: string;
  readonly pinned: boolean;
  readonly expiresAt: string | null;
  readonly keywords: string;
  readonly keywordCount: number;
  /** It was made for the merge, and goes with it. */
  readonly isNew?: boolean;
}

/** A survivor before a merge, with the last merge into it and what is merged into it by now. */
export interface SurvivorState {
  readonly now: MergeState;
  /** Of the latest merge, undone or not. */
  readonly last: { readonly before: MergeState; readonly after: MergeState } | null;
  readonly parts: readonly MergeState[];
}

/** What memories are before something is merged into them. */
export async function readSurvivors(
  tx: Tx,
  tenantId: TenantId,
  ids: readonly MemoryId[],
): Promise<Map<MemoryId, SurvivorState>> {
  const rows = await tx.$queryRaw<({ id: string } & SurvivorState)[]>`
    with recursive part (root, id, depth) as (
      select m.merged_into, m.id, 1 from memory m
      where m.tenant_id = ${tenantId}::uuid and m.merged_into = any (${[...ids]}::uuid[])
      union all
      select p.root, m.id, p.depth + 1 from part p join memory m on m.tenant_id = ${tenantId}::uuid and m.merged_into = p.id
      where p.depth < 50
    )
    select m.id, merge_state(m) as now,
      (select jsonb_build_object('before', e.before, 'after', e.after) from upkeep_effect e
        where e.tenant_id = m.tenant_id and e.memory_id = m.id and e.action = 'joined'
        order by e.created_at desc limit 1) as last,
      (select coalesce(jsonb_agg(merge_state(x) order by x.id), '[]') from part p
        join memory x on x.tenant_id = m.tenant_id and x.id = p.id where p.root = m.id) as parts
    from memory m where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, ...state }) => [asId<MemoryId>(id), state]));
}

/** Memories that go into another, and what that one said itself before. */
export interface MergeStep {
  readonly survivorId: MemoryId;
  readonly mergedIds: readonly MemoryId[];
  readonly before: MergeState;
}

/**
 * Archives what was merged and records it, all in one statement each, so that stats are locked in one order. What the
 * survivors say by then is what the merge made of them. @returns whether all of them were still active
 */
export async function archiveMerged(
  tx: Tx,
  tenantId: TenantId,
  runId: string,
  steps: readonly MergeStep[],
  now: Date,
): Promise<boolean> {
  const pairs = steps.flatMap(({ survivorId, mergedIds }) => mergedIds.map((id) => ({ id, into: survivorId })));
  const changed = await tx.$executeRaw`
    update memory m set state = 'archived', merged_into = x.into, updated_at = ${now},
      state_reason = 'merged into ' || left(x.into::text, 8)
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as x (id uuid, "into" uuid)
    where m.tenant_id = ${tenantId}::uuid and m.id = x.id and m.state = 'active'`;
  await tx.$executeRaw`
    insert into upkeep_effect (tenant_id, run_id, memory_id, action, into_id)
    select ${tenantId}::uuid, ${runId}::uuid, x.id, 'merged', x.into
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as x (id uuid, "into" uuid)`;
  await tx.$executeRaw`
    insert into upkeep_effect (tenant_id, run_id, memory_id, action, before, after)
    select ${tenantId}::uuid, ${runId}::uuid, m.id, 'joined', x.before, merge_state(m)
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as x ("survivorId" uuid, before jsonb)
      join memory m on m.tenant_id = ${tenantId}::uuid and m.id = x."survivorId"`;
  return changed === pairs.length;
}
