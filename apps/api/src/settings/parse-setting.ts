import { AppError } from '@tempera/client-kit';
import { isSettingKey, nearestSettingKey, type SettingKey, settingProblem, SETTINGS } from '@tempera/core';

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?(e-?\d{1,2})?$/i;

/** @throws AppError `invalid-input` that suggests the key that was most likely meant */
export const requireSettingKey = (key: string): SettingKey => {
  if (isSettingKey(key)) return key;
  const nearest = nearestSettingKey(key);
  const hint = nearest === null ? 'The query `settings` lists them.' : `Did you mean ${nearest}?`;
  throw new AppError('invalid-input', 'setting-key', `There is no such setting. ${hint}`);
};

/** A value as it is stored. @throws AppError `invalid-input` in a sentence that names the key and its range */
export const requireSettingValue = (key: SettingKey, text: string): string | number => {
  const trimmed = text.trim();
  const value = SETTINGS[key].kind === 'choice' ? trimmed : NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
  const problem = settingProblem(key, value);
  if (problem !== null) throw new AppError('invalid-input', 'setting-value', problem);
  return value;
};
