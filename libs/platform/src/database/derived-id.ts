import { createHash } from 'node:crypto';

const HEX = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;

/**
 * An id that is the same for the same parts: what is done again after a crash meets its own row, and a run that was killed
 * leaves the very rows of one that was not. Not for what nobody may guess.
 */
export const derivedId = (...parts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').replace(HEX, '$1-$2-8$3-a$4-$5');
