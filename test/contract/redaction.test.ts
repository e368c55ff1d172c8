import { describe, expect, it } from 'vitest';
import { REDACTION_RULES, REDACTION_TYPES, redact } from '@tempera/client-kit';
import { randomFrom } from '../performance/random.js';
import { CLEAN_LINES } from '../support/redaction/clean-lines.js';
import { sampleWriter, wellKnownSamples } from '../support/redaction/secret-samples.js';

const PER_RULE = 4;
const random = randomFrom(7);
const ruled = REDACTION_RULES.map(sampleWriter).flatMap((write) =>
  Array.from({ length: PER_RULE }, () => write(random)),
);
const known = Array.from({ length: PER_RULE }, () => wellKnownSamples(random)).flat();

const missed = (samples: typeof ruled): string[] =>
  samples.filter(({ text, secret }) => redact(text).text.includes(secret)).map(({ rule, text }) => `${rule}: ${text}`);

describe('the redaction of secrets', () => {
  it('knows the 221 rules of gitleaks that are about a text, and ours', () => {
    expect(REDACTION_RULES).toHaveLength(226);
    expect(REDACTION_TYPES.size).toBe(228);
  });

  it('catches 99 of 100 texts that are written from the rules', () => {
    expect(missed(ruled).length / ruled.length, missed(ruled).join('\n')).toBeLessThanOrEqual(0.01);
  });

  it('catches 99 of 100 secrets of the kinds that are met most', () => {
    expect(missed(known).length / known.length, missed(known).join('\n')).toBeLessThanOrEqual(0.01);
  });

  it('leaves clean lines as they are', () => {
    expect(CLEAN_LINES.length).toBeGreaterThan(75);
    expect(CLEAN_LINES.filter((line) => redact(line).text !== line)).toEqual([]);
  });

  it('changes nothing the second time', () => {
    const twice = [...ruled, ...known]
      .map(({ text }) => redact(text).text)
      .filter((text) => redact(text).text !== text);
    expect(twice).toEqual([]);
  });
});
