import { SettingError } from './setting-error.mjs';

// The bounds are those of apps/api/src/config/settings.ts; a contract test compares them.
const NUMBERS = [
  { setting: 'ATTEMPTS_PER_ADDRESS', least: 1, most: 1_000_000, isWhole: true },
  { setting: 'REQUESTS_AT_ONCE', least: 2, most: 10, isWhole: true },
  { setting: 'DRAIN_NOTICE_SECONDS', least: 0, most: 20, isWhole: false },
];

const isWithin = (number, { least, most, isWhole }) =>
  number >= least && number <= most && (!isWhole || Number.isInteger(number));

export const checkNumbers = (env) => {
  for (const bounds of NUMBERS) {
    const { setting, least, most, isWhole } = bounds;
    const text = env[setting];
    if (!text || isWithin(Number(text), bounds)) continue;
    throw new SettingError(
      `"${text}" is no number that it takes.`,
      setting,
      `it is a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`,
    );
  }
};
