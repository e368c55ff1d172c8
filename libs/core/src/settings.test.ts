import { describe, expect, it } from 'vitest';
import {
  isSettingKey,
  nearestSettingKey,
  toOverrides,
  resolveSettings,
  settingProblem,
  SETTINGS,
  type SettingKey,
} from './settings.js';

const keys = Object.keys(SETTINGS).filter(isSettingKey);

describe('settings', () => {
  it('have defaults that their own ranges allow', () => {
    for (const key of keys) expect(settingProblem(key, SETTINGS[key].default), key).toBeNull();
  });

  it('are the defaults until somebody sets them', () => {
    expect(resolveSettings().retrieval).toMatchObject({ similarityWeight: 0.3, utilityWeight: 0.7, maxBoost: 0.1 });
    expect(resolveSettings().storage.eraseArchivedDays).toBeNull();
  });

  it('each have a reader: setting any key changes what is in force', () => {
    for (const key of keys) {
      const spec = SETTINGS[key];
      const other = spec.kind === 'choice' ? 'linear' : spec.default === spec.max ? spec.min : spec.max;
      expect(resolveSettings({ [key]: other }), key).not.toEqual(resolveSettings());
    }
  });

  it('of a project go before those of its tenant, and fall back to them when unset', () => {
    const tenant = { 'retrieval.max_boost': 0.2, 'bellman.gamma': 0.5 };
    const settings = resolveSettings(tenant, { 'retrieval.max_boost': 0.3 });
    expect(settings.retrieval.maxBoost).toBe(0.3);
    expect(settings.bellman.gamma).toBe(0.5);
    expect(resolveSettings(tenant, {}).retrieval.maxBoost).toBe(0.2);
  });

  it('take zero for a value, not for unset', () => {
    expect(resolveSettings({ 'retrieval.utility_weight': 0 }).retrieval.utilityWeight).toBe(0);
  });

  it.each<[SettingKey, unknown, string]>([
    ['retrieval.max_boost', 1.5, 'retrieval.max_boost must be between 0 and 1.'],
    ['retrieval.max_boost', '0.1', 'retrieval.max_boost must be a number.'],
    ['retrieval.max_boost', Number.NaN, 'retrieval.max_boost must be a number.'],
    ['bellman.max_propagation_depth', 1.5, 'bellman.max_propagation_depth must be a whole number.'],
    ['retrieval.ranking', 'random', 'retrieval.ranking must be one of: bounded, linear.'],
  ])('refuse %s = %j with a sentence', (key, value, problem) => expect(settingProblem(key, value)).toBe(problem));

  it('are known by their own names only', () => {
    expect(isSettingKey('retrieval.max_boost')).toBe(true);
    expect(isSettingKey('toString')).toBe(false);
  });

  it('suggest the key that a mistyped one was meant to be, and none for what is like nothing', () => {
    expect(nearestSettingKey('retrieval.max_bost')).toBe('retrieval.max_boost');
    expect(nearestSettingKey('gama')).toBe('bellman.gamma');
    expect(nearestSettingKey('Retrieval.Mmr-Lambda')).toBe('retrieval.mmr_lambda');
    expect(nearestSettingKey('colour')).toBeNull();
    expect(nearestSettingKey('x'.repeat(100_000))).toBeNull();
  });

  it('ignore what another version stored', () => {
    const stored = { 'retrieval.max_boost': 0.2, 'retrieval.gone': 1, 'bellman.gamma': 'high', toString: 1 };
    expect(toOverrides(stored)).toEqual({ 'retrieval.max_boost': 0.2 });
  });
});
