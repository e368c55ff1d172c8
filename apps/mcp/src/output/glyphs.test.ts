import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { World } from '../world.js';
import { glyphsOf } from './glyphs.js';

const world = (isTTY: boolean, environment: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
  ({ stdout: Object.assign(new PassThrough(), { isTTY }), environment, platform }) as unknown as World;

describe('block elements', () => {
  it.each([
    [true, { LANG: 'en_US.UTF-8' }, 'linux', true],
    [true, { LC_ALL: 'C.utf8', LANG: 'C' }, 'linux', true],
    [true, {}, 'darwin', true],
    [false, { LANG: 'en_US.UTF-8' }, 'linux', false],
    [true, { LANG: 'en_US.ISO-8859-1' }, 'linux', false],
    [true, { LC_ALL: 'C', LANG: 'en_US.UTF-8' }, 'linux', false],
    [true, { LANG: 'en_US.UTF-8', TERM: 'dumb' }, 'linux', false],
    [true, {}, 'linux', false],
  ] as const)('terminal %s with %j on %s: %s', (isTTY, environment, platform, hasUnicode) => {
    expect(glyphsOf(world(isTTY, environment, platform))).toEqual({ hasUnicode });
  });
});
