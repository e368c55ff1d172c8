import {
  isSettingKey,
  type SettingKey,
  settingProblem,
  settingScope,
  SETTINGS,
  type SettingSpec,
  settingUnit,
} from '@tempera/core';
import type { SettingRecord } from '@tempera/platform';
import type { Setting } from './setting.types.js';

export const SETTING_KEYS: readonly SettingKey[] = Object.keys(SETTINGS).filter(isSettingKey);

const asText = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** A key with what is set over its default; what an older version allowed and this one does not counts as unset. */
export const toSetting = (key: SettingKey, records: readonly SettingRecord[]): Setting => {
  const spec: SettingSpec = SETTINGS[key];
  const own = records.filter((record) => record.key === key && settingProblem(key, record.value) === null);
  const tenantValue = asText(own.find(({ projectId }) => projectId === null)?.value);
  const projectValue = asText(own.find(({ projectId }) => projectId !== null)?.value);
  const defaultValue = asText(spec.default);
  return {
    key,
    type: spec.kind,
    scope: settingScope(key),
    summary: spec.summary,
    unit: settingUnit(key),
    min: spec.kind === 'choice' ? null : spec.min,
    max: spec.kind === 'choice' ? null : spec.max,
    choices: spec.kind === 'choice' ? [...spec.choices] : [],
    defaultValue,
    tenantValue,
    projectValue,
    value: projectValue ?? tenantValue ?? defaultValue,
  };
};
