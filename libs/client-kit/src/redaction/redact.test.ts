import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.js';
import { REDACTION_RULES, redact, rulesFor } from './redact.js';
import { removedLine, sumRemoved } from './removed.js';

const PAT = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcD5f'].join('_');
const AWS = `AKIA${'QX7Z2P5M'.repeat(2)}`;
const KEY_LINE = 'MIIEowIBAAKCAQEAqUiud4hs/hdk3jkdh9jksd+kjahsdkj2aksjdhk7ashdkj9Q';

const ruleOf = (id: string): (typeof REDACTION_RULES)[number] => {
  const rule = REDACTION_RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule;
};

describe('redact', () => {
  it('puts the kind of a secret in its place and says how many there were', () => {
    expect(redact(`export GH_TOKEN=${PAT}; ${AWS} and ${PAT}`)).toEqual({
      text: 'export GH_TOKEN=[REDACTED:github-pat]; [REDACTED:aws-access-token] and [REDACTED:github-pat]',
      removed: [
        { type: 'aws-access-token', count: 1 },
        { type: 'github-pat', count: 2 },
      ],
    });
  });

  it('leaves a text without a keyword alone and compiles nothing for it', () => {
    const text = 'The build waits for its lease.';
    expect(rulesFor(text)).toEqual([]);
    expect(redact(text)).toEqual({ text, removed: [] });
  });

  it.each([
    ['a<private>b</private>c', 'ac', 1],
    ['a<PRIVATE>b</Private>c<private>d</private>', 'ac', 2],
    ['a<private>b<private>c</private>d</private>e', 'ae', 1],
    ['a<private>never closed', 'a', 1],
    ['a<private>b<private>c</private>d', 'a', 1],
    ['a</private>b', 'a</private>b', 0],
    ['<pri<private>x</private>vate>y</private>z', 'z', 2],
  ])('cuts what is marked as private: %s', (text, left, count) => {
    expect(redact(text)).toEqual({ text: left, removed: count === 0 ? [] : [{ type: 'private', count }] });
  });

  it('takes no secret for a place where one was', () => {
    expect(redact('[REDACTED:github-pat]').removed).toEqual([]);
    expect(redact(`[REDACTED:${PAT}]`).text).toBe('[REDACTED:[REDACTED:github-pat]]');
  });

  it('finds a secret wherever a long text is cut into pieces', () => {
    for (let before = 200; before < 1400; before += 7) {
      const text = `${'x'.repeat(before - 1)} ${AWS} ${'y'.repeat(900)}`;
      expect(findSecrets(ruleOf('aws-access-token'), text)).toEqual([
        { start: before, end: before + AWS.length, type: 'aws-access-token' },
      ]);
    }
  });

  it('takes no end of a piece for the end of a text', () => {
    const word = `key=${'a1b2c3d4'.repeat(40)}`;
    for (let before = 0; before < 300; before += 11) {
      expect(redact(`${' '.repeat(before)}${word}§`).removed).toEqual([]);
    }
  });

  it.each([1, 20, 200])('takes out a private key of %i lines whole, and one whose end is missing', (lines) => {
    const body = `${KEY_LINE}\n`.repeat(lines);
    const whole = `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----`;
    expect(redact(`see ${whole} there`)).toEqual({
      text: 'see [REDACTED:private-key] there',
      removed: [{ type: 'private-key', count: 1 }],
    });
    expect(redact(`-----BEGIN RSA PRIVATE KEY-----\n${body}`).text).not.toContain(KEY_LINE);
  });

  it('is the same the second time, whatever is between the secrets', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        PAT,
        AWS,
        '<private>',
        '</private>',
        `password: "${PAT.slice(4)}"`,
        '[REDACTED:',
        ']',
        'key=',
        '"',
      ),
      fc.constantFrom(
        '\uD83D',
        '\uDE00',
        '\u0000',
        '秘密',
        '🔑',
        '\n',
        `postgres://u:${AWS}@h`,
        'token ',
        '-----BEGIN',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const once = redact(pieces.join(''));
        expect(redact(once.text)).toEqual({ text: once.text, removed: [] });
        expect(once.text).not.toMatch(/ghp_aB3d/);
      }),
      { numRuns: 300 },
    );
  });

  it('says in one line what was taken out of several texts', () => {
    const removed = sumRemoved([redact(PAT).removed, redact(`${PAT} ${AWS}`).removed]);
    expect(removedLine(removed)).toBe('removed 1 aws-access-token, 2 github-pat');
    expect(removedLine([])).toBeNull();
  });
});

describe('the rules', () => {
  it('are all compiled by the engine that cannot go back, and none by the one of JavaScript', () => {
    for (const rule of REDACTION_RULES) expect(findSecrets(rule, 'nothing')).toEqual([]);
  });

  it('look for no word that is not in small letters', () => {
    const loud = REDACTION_RULES.filter(({ keywords }) => keywords.some((word) => word !== word.toLowerCase()));
    expect(loud).toEqual([]);
  });
});
