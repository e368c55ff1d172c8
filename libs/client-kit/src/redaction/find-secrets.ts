import { isAllowed } from './allowed.js';
import { entropy } from './entropy.js';
import { GITLEAKS_ALLOWED } from './generated/gitleaks-rules.js';
import type { Allowlist, Finding, Rule } from './rule.js';
import { Searcher } from './searcher.js';
import type { Hit } from './searcher.js';

/** As much of a name before its value as gitleaks counts to a match. */
const FRONT = 50;
const OF_A_NAME = /[\w.-]/;

const frontOf = (text: string, start: number): string => {
  let from = start;
  while (from > 0 && start - from < FRONT && OF_A_NAME.test(text.charAt(from - 1))) from -= 1;
  return text.slice(from, start);
};

/** So much of a line on either side is looked at for what makes a match harmless: a line may be a megabyte. */
const BESIDE = 300;

const lineAround = (text: string, start: number, end: number): string => {
  const before = text.slice(Math.max(0, start - BESIDE), start);
  const after = text.slice(end, end + BESIDE);
  return before.slice(before.lastIndexOf('\n') + 1) + text.slice(start, end) + (after.split('\n', 1)[0] ?? '');
};

/** Rules whose groups hold a piece of the secret. gitleaks points at a secret, so a piece is enough for it; we take it out. */
const IN_PIECES: ReadonlySet<string> = new Set(['facebook-access-token', 'jwt-base64', 'microsoft-teams-webhook']);

const secretOf = ({ start, end, groups }: Hit, group: number | undefined): readonly [number, number] => {
  const chosen = group === undefined ? groups.find(([from, to]) => to > from) : groups[group - 1];
  return chosen === undefined || chosen[0] < 0 ? [start, end] : chosen;
};

const allowlists = new Map<Rule, readonly Allowlist[]>();
const hasWords = ({ stopwords }: Allowlist): boolean => stopwords !== undefined;

/** The searchers of the rules that were asked for: compiling all takes a second, and a hook has a fifth of one. */
const searchers = new Map<Rule, Searcher>();

const searcherOf = (rule: Rule): Searcher => {
  const known = searchers.get(rule) ?? new Searcher(rule);
  searchers.set(rule, known);
  return known;
};

/** Those with words first, since any list is enough and words are the quickest to look for. */
const allowlistsOf = (rule: Rule): readonly Allowlist[] => {
  const known = allowlists.get(rule);
  if (known !== undefined) return known;
  const lists = [...(rule.allowlists ?? []), GITLEAKS_ALLOWED];
  const ordered = [...lists.filter(hasWords), ...lists.filter((list) => !hasWords(list))];
  allowlists.set(rule, ordered);
  return ordered;
};

const isSecret = (rule: Rule, text: string, { start, end }: Hit, secret: string): boolean => {
  if (rule.entropy !== undefined && entropy(secret) <= rule.entropy) return false;
  const suspect = { secret, match: frontOf(text, start) + text.slice(start, end), line: lineAround(text, start, end) };
  return !allowlistsOf(rule).some((list) => isAllowed(list, suspect));
};

/** What one rule finds in a text that holds one of its keywords. */
export const findSecrets = (rule: Rule, text: string): Finding[] => {
  const findings: Finding[] = [];
  for (const hit of searcherOf(rule).hits(text)) {
    const [start, end] = secretOf(hit, rule.secretGroup);
    if (!isSecret(rule, text, hit, text.slice(start, end))) continue;
    const whole = IN_PIECES.has(rule.id) ? hit : { start, end };
    findings.push({ start: whole.start, end: whole.end, type: rule.id });
  }
  return findings;
};
