import {
  asId,
  type ProjectId,
  type RecallRule,
  type RuleConditions,
  type RuleEffect,
  type TenantId,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';

/** A rule as somebody wrote it: of the tenant (neither project nor user), a project, or one person. */
export interface RecallRuleRecord extends RecallRule {
  readonly id: string;
  readonly projectId: ProjectId | null;
  readonly userId: UserId | null;
  readonly position: number;
  readonly enabled: boolean;
}

export interface RecallRuleRow {
  readonly id: string;
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly position: number;
  readonly name: string;
  readonly conditions: RuleConditions;
  readonly effect: string;
  readonly factor: number | null;
  readonly maxItems: number | null;
  readonly enabled: boolean;
}

/** The column's check allows no other effect, and conditions were checked when they were written. */
export const toRecallRule = (row: RecallRuleRow): RecallRuleRecord => ({
  id: row.id,
  projectId: row.projectId === null ? null : asId<ProjectId>(row.projectId),
  userId: row.userId === null ? null : asId<UserId>(row.userId),
  position: row.position,
  name: row.name,
  conditions: row.conditions,
  effect: row.effect as RuleEffect,
  ...(row.factor === null ? {} : { factor: row.factor }),
  ...(row.maxItems === null ? {} : { maxItems: row.maxItems }),
  enabled: row.enabled,
});

/** The tenant's rules, the project's where one is named, and the caller's own, disabled ones too. */
export const listRecallRules = async (
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId | null,
): Promise<RecallRuleRecord[]> => {
  const rows = await tx.$queryRaw<RecallRuleRow[]>`
    select id, project_id as "projectId", user_id as "userId", position, name, conditions, effect, factor,
      max_items as "maxItems", enabled
    from recall_rule where tenant_id = ${tenantId}::uuid and (project_id is null or project_id = ${projectId}::uuid)`;
  return rows.map(toRecallRule);
};

/** A rule that the caller may see. */
export const findRecallRule = async (tx: Tx, tenantId: TenantId, id: string): Promise<RecallRuleRecord | null> => {
  const [row] = await tx.$queryRaw<RecallRuleRow[]>`
    select id, project_id as "projectId", user_id as "userId", position, name, conditions, effect, factor,
      max_items as "maxItems", enabled
    from recall_rule where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  return row === undefined ? null : toRecallRule(row);
};

/** @throws a refusal of the database for who may not */
export const insertRecallRule = async (
  tx: Tx,
  tenantId: TenantId,
  rule: RecallRuleRecord,
  { by, at }: { readonly by: UserId; readonly at: Date },
): Promise<void> => {
  await tx.$executeRaw`
    insert into recall_rule (tenant_id, id, project_id, user_id, position, name, conditions, effect, factor, max_items,
      enabled, created_by, updated_at)
    values (${tenantId}::uuid, ${rule.id}::uuid, ${rule.projectId}::uuid, ${rule.userId}::uuid, ${rule.position}::int,
      ${rule.name}, ${JSON.stringify(rule.conditions)}::jsonb, ${rule.effect}, ${rule.factor ?? null}::float8,
      ${rule.maxItems ?? null}::int, ${rule.enabled}, ${by}::uuid, ${at})`;
};

/** @returns whether the caller may change it */
export const updateRecallRule = async (
  tx: Tx,
  tenantId: TenantId,
  rule: RecallRuleRecord,
  at: Date,
): Promise<boolean> => {
  const changed = await tx.$executeRaw`
    update recall_rule set position = ${rule.position}::int, name = ${rule.name},
      conditions = ${JSON.stringify(rule.conditions)}::jsonb, effect = ${rule.effect},
      factor = ${rule.factor ?? null}::float8, max_items = ${rule.maxItems ?? null}::int, enabled = ${rule.enabled},
      updated_at = ${at}
    where tenant_id = ${tenantId}::uuid and id = ${rule.id}::uuid`;
  return changed > 0;
};

/** @returns whether the caller may remove it */
export const deleteRecallRule = async (tx: Tx, tenantId: TenantId, id: string): Promise<boolean> =>
  (await tx.recallRule.deleteMany({ where: { tenantId, id } })).count > 0;
