import {
  asId,
  type ProjectId,
  resolveSettings,
  type Settings,
  type TenantId,
  toOverrides,
  type UserId,
} from '@tempera/core';
import type { Tx } from '../context.js';
import { type RecallRuleRecord, toRecallRule, type RecallRuleRow } from './recall-rule.repository.js';
import { type TenantEncoders, type TenantEncodersRow, toTenantEncoders } from './tenant-encoders.js';

/** A value that somebody set over the default. */
export interface SettingRecord {
  readonly key: string;
  readonly projectId: ProjectId | null;
  readonly value: string | number;
}

/** The tenant's values, and those of a project where one is named. */
export const listSettings = async (tx: Tx, tenantId: string, projectId: ProjectId | null): Promise<SettingRecord[]> => {
  const rows = await tx.$queryRaw<{ key: string; projectId: string | null; value: string | number }[]>`
    select key, project_id as "projectId", value from setting
    where tenant_id = ${tenantId}::uuid and (project_id is null or project_id = ${projectId}::uuid)`;
  return rows.map((row) => ({ ...row, projectId: row.projectId === null ? null : asId<ProjectId>(row.projectId) }));
};

const layerOf = (records: readonly SettingRecord[], isTenants: boolean): ReturnType<typeof toOverrides> =>
  toOverrides(
    Object.fromEntries(
      records.filter(({ projectId }) => (projectId === null) === isTenants).map(({ key, value }) => [key, value]),
    ),
  );

const inForce = (records: readonly SettingRecord[]): Settings =>
  resolveSettings(layerOf(records, true), layerOf(records, false));

/** What is in force for a tenant, or in it for a project. */
export const readSettings = async (tx: Tx, tenantId: string, projectId: ProjectId | null): Promise<Settings> =>
  inForce(await listSettings(tx, tenantId, projectId));

export interface SettingChange {
  readonly key: string;
  readonly projectId: ProjectId | null;
  /** Null takes the value away, so that what is above it holds. */
  readonly value: string | number | null;
  readonly by: UserId;
  readonly at: Date;
}

/** @throws a refusal of the database for who may not */
export const writeSetting = async (
  tx: Tx,
  tenantId: TenantId,
  { key, projectId, value, by, at }: SettingChange,
): Promise<void> => {
  if (value === null) {
    await tx.setting.deleteMany({ where: { tenantId, projectId, key } });
    return;
  }
  await tx.$executeRaw`
    insert into setting (tenant_id, project_id, key, value, updated_by, updated_at)
    values (${tenantId}::uuid, ${projectId}::uuid, ${key}, ${JSON.stringify(value)}::jsonb, ${by}::uuid, ${at})
    on conflict (tenant_id, project_id, key) do update
      set value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`;
};

/** What an answer is made by: settings, recall rules in their order, and which projects it passes by. */
export interface RecallPolicy {
  readonly settings: Settings;
  readonly rules: readonly RecallRuleRecord[];
  readonly archivedProjects: readonly ProjectId[];
  /** Those by which questions are read now. */
  readonly encoders: TenantEncoders;
}

/** All of it in one statement, since every question asks for it. */
export const readRecallPolicy = async (
  tx: Tx,
  tenantId: TenantId,
  projectId: ProjectId | null,
): Promise<RecallPolicy> => {
  const [row] = await tx.$queryRaw<
    { settings: SettingRecord[]; rules: RecallRuleRow[]; archived: string[]; encoders: TenantEncodersRow }[]
  >`/* kept */
    select
      (select coalesce(json_agg(json_build_object('key', s.key, 'projectId', s.project_id, 'value', s.value)), '[]')
        from setting s where s.tenant_id = ${tenantId}::uuid
          and (s.project_id is null or s.project_id = ${projectId}::uuid)) as settings,
      (select coalesce(json_agg(json_build_object('id', r.id, 'projectId', r.project_id, 'userId', r.user_id,
          'position', r.position, 'name', r.name, 'conditions', r.conditions, 'effect', r.effect, 'factor', r.factor,
          'maxItems', r.max_items, 'enabled', r.enabled)), '[]')
        from recall_rule r where r.tenant_id = ${tenantId}::uuid and r.enabled
          and (r.project_id is null or r.project_id = ${projectId}::uuid)
          and (r.user_id is null or r.user_id = (select uid()))) as rules,
      (select coalesce(json_agg(p.id), '[]') from project p
        where p.tenant_id = ${tenantId}::uuid and p.archived_at is not null) as archived,
      tenant_encoders(${tenantId}::uuid) as encoders`;
  return {
    settings: inForce(row?.settings ?? []),
    rules: inRuleOrder((row?.rules ?? []).map(toRecallRule)),
    encoders: toTenantEncoders(row?.encoders ?? { active: {}, coming: null }),
    archivedProjects: (row?.archived ?? []).map((id) => asId<ProjectId>(id)),
  };
};

/** The tenant's, then the project's, then the person's; each in the order its owner gave it. */
export const inRuleOrder = (rules: readonly RecallRuleRecord[]): RecallRuleRecord[] => {
  const level = ({ projectId, userId }: RecallRuleRecord): number => (userId !== null ? 2 : projectId !== null ? 1 : 0);
  return [...rules].sort(
    (one, other) =>
      level(one) - level(other) ||
      one.position - other.position ||
      (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  );
};
