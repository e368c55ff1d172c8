import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { type ProjectId, type SettingKey, settingScope } from '@tempera/core';
import { appendAudit, type Doors, listSettings, type Tx, writeSetting } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireMaintainer } from '../projects/require-maintainer.js';
import { refuseArchived, requireProject } from '../projects/require-project.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { requireSettingKey, requireSettingValue } from './parse-setting.js';
import { SETTING_KEYS, toSetting } from './setting.mapper.js';
import type { ResetSettingInput, Setting, SetSettingInput } from './setting.types.js';

/** What a tenant, and a project over it, has set. */
@Injectable()
export class SettingsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Every key with its range and what is in force. @throws AppError `not-found` for a project that is not there */
  list(caller: Caller, project: string | null): Promise<Setting[]> {
    return this.doors.asTenant(caller, async (tx) => {
      const projectId = project === null ? null : (await requireProject(tx, caller.tenantId, project)).id;
      const records = await listSettings(tx, caller.tenantId, projectId);
      return SETTING_KEYS.map((key) => toSetting(key, records));
    });
  }

  /** @throws AppError `forbidden`, `not-found`, `invalid-input` that says what is allowed */
  set(caller: Caller, { key, value, project }: SetSettingInput): Promise<Setting> {
    return this.change(caller, { key, project: project ?? null }, (known) => requireSettingValue(known, value));
  }

  /** Takes a value away, so that the tenant's or the default holds again. */
  reset(caller: Caller, { key, project }: ResetSettingInput): Promise<Setting> {
    return this.change(caller, { key, project: project ?? null }, () => null);
  }

  private change(
    caller: Caller,
    { key: given, project }: { readonly key: string; readonly project: string | null },
    valueOf: (key: SettingKey) => string | number | null,
  ): Promise<Setting> {
    const { tenantId } = caller;
    return this.doors.asTenant(caller, async (tx) => {
      const projectId = await this.requireRight(tx, caller, project);
      const key = requireSettingKey(given);
      if (projectId !== null && settingScope(key) === 'tenant') {
        throw new AppError('invalid-input', 'setting-scope', `${key} is set for the whole tenant.`);
      }
      const value = valueOf(key);
      const before = (await listSettings(tx, tenantId, projectId)).find(
        (record) => record.key === key && record.projectId === projectId,
      );
      await writeSetting(tx, tenantId, { key, projectId, value, by: caller.userId, at: this.clock.now() });
      const setting = toSetting(key, await listSettings(tx, tenantId, projectId));
      const details = { key, before: before?.value ?? null, value };
      const subject = { subjectKind: projectId === null ? 'tenant' : 'project', subjectId: projectId ?? tenantId };
      await appendAudit(tx, { action: 'setting.changed', ...subject, details });
      return setting;
    });
  }

  /** Admins set the tenant's; a project's its maintainers too. */
  private async requireRight(tx: Tx, caller: Caller, slug: string | null): Promise<ProjectId | null> {
    if (slug === null) {
      await requireAdmin(tx);
      return null;
    }
    const project = await requireProject(tx, caller.tenantId, slug);
    await requireMaintainer(tx, caller, project);
    refuseArchived(project);
    return project.id;
  }
}
