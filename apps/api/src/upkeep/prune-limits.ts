import { type PruneLimits, SETTINGS } from '@tempera/core';
import { refuse } from '../memories/check-input.js';
import { pruneLimits } from './look-over.js';
import type { UpkeepPlace } from './upkeep-scope.js';

interface Wish {
  readonly olderThanDays?: number | null;
  readonly minUtility?: number | null;
}

/** The limits that somebody asked for, over those that are set. @throws AppError `invalid-input` for one out of range */
export const limitsOf = ({ olderThanDays, minUtility }: Wish): ((place: UpkeepPlace) => PruneLimits) => {
  check('olderThanDays', olderThanDays, SETTINGS['storage.max_age_days']);
  check('minUtility', minUtility, SETTINGS['storage.min_utility_threshold']);
  return (place) => {
    const set = pruneLimits(place);
    return { ...set, maxAgeDays: olderThanDays ?? set.maxAgeDays, minUtility: minUtility ?? set.minUtility };
  };
};

const check = (
  name: string,
  value: number | null | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): void => {
  if (value === null || value === undefined || (value >= min && value <= max)) return;
  throw refuse('range', `\`${name}\` lies between ${min} and ${max}.`);
};
