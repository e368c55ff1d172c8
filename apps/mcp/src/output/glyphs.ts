import type { Glyphs } from '@tempera/client-kit';
import type { World } from '../world.js';

/** Block elements are pictures on a terminal that shows UTF-8, and noise everywhere else. */
export const glyphsOf = ({
  stdout,
  environment,
  platform,
}: Pick<World, 'stdout' | 'environment' | 'platform'>): Glyphs => {
  // POSIX: the first of these that is set and not empty decides.
  const locale =
    ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => environment[name] ?? '').find((value) => value !== '') ?? '';
  const showsUtf8 = /utf-?8/i.test(locale) || (platform === 'darwin' && locale === '');
  return { hasUnicode: stdout.isTTY === true && environment['TERM'] !== 'dumb' && showsUtf8 };
};
