import { findSecrets } from './find-secrets.js';
import { GITLEAKS_RULES } from './generated/gitleaks-rules.js';
import { OWN_RULES } from './own-rules.js';
import { isRedacted, placeholder } from './placeholder.js';
import { PRIVATE, withoutPrivate } from './private-spans.js';
import type { Finding, Rule } from './rule.js';

/** How many secrets of one type were taken out of a text. */
export interface Removed {
  readonly type: string;
  readonly count: number;
}

/** A text without its secrets, and what they were. */
export interface Redacted {
  readonly text: string;
  readonly removed: readonly Removed[];
}

/** What guesses by a name and randomness speaks last: where another rule knows the kind, that one names it. */
const GUESS = 'generic-api-key';

/** A text that is still changing after so many rounds was made to; nothing of it is kept. */
const ROUNDS = 8;
const UNSETTLED = 'unsettled';

/** Every rule, those that know a secret's kind first. */
export const REDACTION_RULES: readonly Rule[] = [
  ...GITLEAKS_RULES.filter(({ id }) => id !== GUESS),
  ...OWN_RULES,
  ...GITLEAKS_RULES.filter(({ id }) => id === GUESS),
];

/** Every type that an answer can name. */
export const REDACTION_TYPES: ReadonlySet<string> = new Set([
  PRIVATE,
  UNSETTLED,
  ...REDACTION_RULES.map(({ id }) => id),
]);

const RANK = new Map(REDACTION_RULES.map(({ id }, at) => [id, at]));
const rankOf = ({ type }: Finding): number => RANK.get(type) ?? RANK.size;

/** The rules that may find something: those of which a keyword is in the text. */
export const rulesFor = (text: string): Rule[] => {
  const small = text.toLowerCase();
  const held = new Map<string, boolean>();
  const holds = (keyword: string): boolean => {
    const known = held.get(keyword) ?? small.includes(keyword);
    held.set(keyword, known);
    return known;
  };
  return REDACTION_RULES.filter(({ keywords }) => keywords.some(holds));
};

/** Findings that overlap are one secret, named by the rule that knows most. */
const merged = (findings: readonly Finding[]): Finding[] => {
  const all: Finding[] = [];
  for (const next of [...findings].sort((a, b) => a.start - b.start || rankOf(a) - rankOf(b))) {
    const last = all.at(-1);
    if (last === undefined || next.start >= last.end) all.push(next);
    else {
      const { type } = rankOf(next) < rankOf(last) ? next : last;
      all.splice(-1, 1, { start: last.start, end: Math.max(last.end, next.end), type });
    }
  }
  return all;
};

const replaced = (text: string, findings: readonly Finding[]): string => {
  let kept = '';
  let from = 0;
  for (const { start, end, type } of findings) {
    kept += text.slice(from, start) + placeholder(type);
    from = end;
  }
  return kept + text.slice(from);
};

const oneRound = (text: string, counts: Map<string, number>): string => {
  const open = withoutPrivate(text);
  if (open.count > 0) counts.set(PRIVATE, (counts.get(PRIVATE) ?? 0) + open.count);
  const found = rulesFor(open.text).flatMap((rule) => findSecrets(rule, open.text));
  const findings = merged(found.filter(({ start, end }) => !isRedacted(open.text.slice(start, end), REDACTION_TYPES)));
  for (const { type } of findings) counts.set(type, (counts.get(type) ?? 0) + 1);
  return replaced(open.text, findings);
};

/**
 * Takes the secrets out of a text: each is replaced by `[REDACTED:type]`, and what stands between `<private>` and `</private>` is
 * cut. Done again until nothing more is found, so that redacting twice is redacting once.
 */
export const redact = (text: string): Redacted => {
  const counts = new Map<string, number>();
  const answer = (kept: string): Redacted => ({
    text: kept,
    removed: [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => (a.type < b.type ? -1 : 1)),
  });
  let current = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = oneRound(current, counts);
    if (next === current) return answer(current);
    current = next;
  }
  counts.set(UNSETTLED, 1);
  return answer(placeholder(UNSETTLED));
};
