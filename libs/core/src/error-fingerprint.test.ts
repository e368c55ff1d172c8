import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorFingerprint, fingerprintsOf, isSameError } from './error-fingerprint.js';

describe('the fingerprint of an error', () => {
  it.each([
    ['numbers', 'timeout after 30000 ms (attempt 3)', 'timeout after 5 ms (attempt 12)'],
    ['paths', "ENOENT: no such file, open '/home/ann/app/a.ts'", 'ENOENT: no such file, open C:\\work\\b\\c.ts'],
    ['relative paths', 'cannot find src/db/pool.ts:12:4 here', 'cannot find ../lib/x.js:7:1 here'],
    ['hex', 'object 0xdeadbeef of 3f2504e0-4f89-41d3-9a0c-0305e82c3301 lost', 'object 0x1 of 9c0ffee1 lost'],
    ['quotes', 'relation "users" does not exist', 'relation `orders` does not exist'],
    ['addresses', 'connect refused http://10.0.0.1:80/x?y=1 again', 'connect refused https://db.test again'],
    ['case, space and colours', '\u001b[31mConnection  RESET\u001b[0m by peer', 'connection reset by peer'],
    ['numbers in Chinese', '连接超时：30 秒', '连接超时：５ 秒'],
  ])('knows an error again whatever its %s', (_, one, other) => {
    expect(errorFingerprint(one)).not.toBe('');
    expect(errorFingerprint(one)).toBe(errorFingerprint(other));
  });

  it('tells different errors apart, and keeps the apostrophe of a word from opening a quotation', () => {
    expect(errorFingerprint('connection reset')).not.toBe(errorFingerprint('connection refused'));
    expect(errorFingerprint("can't open it, won't try")).toBe('can t open it won t try');
    expect(errorFingerprint('12 "x" /a/b')).toBe('');
  });

  it('is found in a task that quotes the error, on a line of its own or among other words', () => {
    const error = 'timeout acquiring client after 5000 ms';
    for (const task of [
      `Why?\nTimeout acquiring client after 30 ms\nat x`,
      `fix: timeout acquiring client after 7 ms now`,
    ])
      expect(isSameError(error, fingerprintsOf(task))).toBe(true);
    expect(isSameError('failed', fingerprintsOf('it failed again'))).toBe(false);
    expect(isSameError('42', fingerprintsOf('42'))).toBe(false);
  });

  it('of a fingerprint is that fingerprint, whatever the text, and takes no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const once = errorFingerprint(text);
        expect(errorFingerprint(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
    for (const text of ['/'.repeat(1e5), '"'.repeat(1e5), 'a/'.repeat(1e5), '0'.repeat(1e5), "'a".repeat(1e5)])
      expect(errorFingerprint(text).length).toBeLessThan(2_001);
  });
});
