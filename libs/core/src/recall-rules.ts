/** What a tenant, a project or a person wants shown first, ahead, seldom or never (docs/design.md, "Recall rules"). */
import type { MemoryKind, Scope, UserId } from './memory.js';

export const RULE_EFFECTS = ['first', 'boost', 'limit', 'exclude'] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** The most that boosts together may do to one score: votes and relevance stay what leads. */
export const MAX_RULE_BOOST = 1.2;

/** Which memories a rule is about. Absent conditions do not narrow; all that are there must hold; lists mean any of them. */
export interface RuleConditions {
  readonly kinds?: readonly MemoryKind[];
  readonly tags?: readonly string[];
  readonly scopes?: readonly Scope[];
  readonly authors?: readonly UserId[];
  /** A path matches itself and, as the end of a longer path, a file in it. */
  readonly files?: readonly string[];
  readonly pinned?: boolean;
  readonly minAgeDays?: number;
  readonly maxAgeDays?: number;
  /** So relevant that a pin may put it first; of shipped rules only. */
  readonly near?: boolean;
}

export interface RecallRule {
  readonly name: string;
  readonly conditions: RuleConditions;
  readonly effect: RuleEffect;
  /** Of a boost: above 1, at most {@link MAX_RULE_BOOST}. */
  readonly factor?: number;
  /** Of a limit: hits of an answer that the rule's memories may take. */
  readonly maxItems?: number;
}

/** What rules look at. */
export interface RuledMemory {
  readonly kind: MemoryKind;
  readonly tags: readonly string[];
  readonly scope: Scope;
  readonly authorId: UserId;
  readonly files: readonly string[];
  readonly pinned: boolean;
  readonly ageDays: number;
  readonly near: boolean;
}

/** What rules say of one memory. */
export interface Judgement {
  readonly isExcluded: boolean;
  readonly isFirst: boolean;
  /** 1 to {@link MAX_RULE_BOOST}. */
  readonly factor: number;
  readonly limits: readonly RecallRule[];
  /** Names of the rules that apply, in order, for an explanation. */
  readonly names: readonly string[];
}

/** Always there: pinned memories that are near come first, the last three days are ahead of equals. What has expired or was superseded is not searched at all. */
export const SHIPPED_RULES: readonly RecallRule[] = [
  { name: 'pinned first', conditions: { pinned: true, near: true }, effect: 'first' },
  { name: 'new ahead of equals', conditions: { maxAgeDays: 3 }, effect: 'boost', factor: 1.01 },
];

/** What the rules say of a memory. Their order matters for the names only: an exclusion wins wherever it stands. */
export const judgeByRules = (rules: readonly RecallRule[], memory: RuledMemory): Judgement => {
  const applied = rules.filter(({ conditions }) => matches(conditions, memory));
  const boosts = applied.filter(({ effect }) => effect === 'boost').map(({ factor }) => Math.max(1, factor ?? 1));
  return {
    isExcluded: applied.some(({ effect }) => effect === 'exclude'),
    isFirst: applied.some(({ effect }) => effect === 'first'),
    factor: Math.min(
      MAX_RULE_BOOST,
      boosts.reduce((product, factor) => product * factor, 1),
    ),
    limits: applied.filter(({ effect }) => effect === 'limit'),
    names: applied.map(({ name }) => name),
  };
};

/** Something to be put in order by its score and what rules say of it. */
export interface Ruled {
  readonly id: string;
  readonly judgement: Judgement;
}

/**
 * Without what is excluded: first the class `first`, then the rest, each by score, ties by id; then what exceeds a limit is
 * taken out, the best of its kind staying. The order of the input does not matter.
 */
export const orderByRules = <Item extends Ruled>(items: readonly Item[], scoreOf: (item: Item) => number): Item[] => {
  const taken = new Map<RecallRule, number>();
  return items
    .filter(({ judgement }) => !judgement.isExcluded)
    .sort(
      (one, other) =>
        Number(other.judgement.isFirst) - Number(one.judgement.isFirst) ||
        scoreOf(other) - scoreOf(one) ||
        (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
    )
    .filter(({ judgement: { limits } }) => {
      if (limits.some((rule) => (taken.get(rule) ?? 0) >= (rule.maxItems ?? Infinity))) return false;
      for (const rule of limits) taken.set(rule, (taken.get(rule) ?? 0) + 1);
      return true;
    });
};

const matches = (conditions: RuleConditions, memory: RuledMemory): boolean =>
  anyOf(conditions.kinds, (kind) => kind === memory.kind) &&
  anyOf(conditions.tags, (tag) => memory.tags.includes(tag)) &&
  anyOf(conditions.scopes, (scope) => scope === memory.scope) &&
  anyOf(conditions.authors, (author) => author === memory.authorId) &&
  anyOf(conditions.files, (wanted) => memory.files.some((known) => isSameFile(known, wanted))) &&
  (conditions.pinned === undefined || conditions.pinned === memory.pinned) &&
  (conditions.near === undefined || conditions.near === memory.near) &&
  (conditions.minAgeDays === undefined || memory.ageDays >= conditions.minAgeDays) &&
  (conditions.maxAgeDays === undefined || memory.ageDays <= conditions.maxAgeDays);

const anyOf = <T>(wanted: readonly T[] | undefined, holds: (value: T) => boolean): boolean =>
  wanted === undefined || wanted.some(holds);

const isSameFile = (known: string, wanted: string): boolean =>
  known === wanted || known.endsWith(`/${wanted}`) || wanted.endsWith(`/${known}`);
