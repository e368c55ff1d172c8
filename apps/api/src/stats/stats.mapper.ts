import { type Health, learningPoint } from '@tempera/core';
import type { BucketCounts, DayCounts, DomainGrowth, MemoryGroup } from '@tempera/platform';
import type { Learning } from './learning.types.js';
import type { KindCount, ScopeCount, StateCount } from './stats.types.js';
import type { Span } from './trend-span.js';
import type { TrendDomain, TrendHealth, TrendPoint, TrendTotal } from './trends.types.js';

const NOTHING: DayCounts = { asked: 0, injected: 0, answered: 0, helpful: 0, unhelpful: 0, helpfulPlaces: 0 };

/** Counts with the shares they come to. */
export const toLearning = (counts: DayCounts): Learning => ({
  asked: counts.asked,
  injected: counts.injected,
  answered: counts.answered,
  helpful: counts.helpful,
  unhelpful: counts.unhelpful,
  ...learningPoint(counts),
});

const tally = <Word extends string>(
  groups: readonly MemoryGroup[],
  wordOf: (group: MemoryGroup) => Word,
): { word: Word; count: number }[] => {
  const counts = new Map<Word, number>();
  for (const group of groups) counts.set(wordOf(group), (counts.get(wordOf(group)) ?? 0) + group.count);
  return [...counts].map(([word, count]) => ({ word, count })).sort((one, other) => other.count - one.count);
};

/** How many of each kind, scope and state. */
export const toCounts = (
  groups: readonly MemoryGroup[],
): { memories: number; kinds: KindCount[]; scopes: ScopeCount[]; states: StateCount[] } => {
  const active = groups.filter(({ state }) => state === 'active');
  return {
    memories: active.reduce((sum, { count }) => sum + count, 0),
    kinds: tally(active, ({ kind }) => kind).map(({ word, count }) => ({ kind: word, count })),
    scopes: tally(active, ({ scope }) => scope).map(({ word, count }) => ({ scope: word, count })),
    states: tally(groups, ({ state }) => state).map(({ word, count }) => ({ state: word, count })),
  };
};

const addUp = (counts: readonly DayCounts[]): DayCounts =>
  counts.reduce(
    (sum, each) => ({
      asked: sum.asked + each.asked,
      injected: sum.injected + each.injected,
      answered: sum.answered + each.answered,
      helpful: sum.helpful + each.helpful,
      unhelpful: sum.unhelpful + each.unhelpful,
      helpfulPlaces: sum.helpfulPlaces + each.helpfulPlaces,
    }),
    NOTHING,
  );

/** Every bucket of the span, those of which nothing is known too, and the span as one. */
export const toPoints = (
  span: Span,
  counts: readonly BucketCounts[],
  captures: readonly { label: string; captured: number }[],
  noted: readonly (Health & { readonly label: string })[],
): { points: TrendPoint[]; all: TrendTotal } => {
  const byLabel = new Map(counts.map((each) => [each.label, each]));
  const captured = new Map(captures.map((each) => [each.label, each.captured]));
  const health = new Map(noted.map(({ label, ...sums }) => [label, toHealth(sums)]));
  const all = toLearning(addUp(counts));
  const points = span.buckets.map(({ label, from }) => {
    const learned = toLearning(byLabel.get(label) ?? NOTHING);
    const isGap = learned.helpfulShare === null || all.helpfulShare === null;
    return {
      bucket: label,
      from,
      captured: captured.get(label) ?? 0,
      ...learned,
      health: health.get(label) ?? null,
      againstAll: isGap ? null : (learned.helpfulShare ?? 0) - (all.helpfulShare ?? 0),
    };
  });
  return { points, all: { ...all, captured: points.reduce((sum, point) => sum + point.captured, 0) } };
};

const toHealth = ({ utility, ...counts }: Health): TrendHealth => ({
  ...counts,
  meanUtility: counts.memories === 0 ? 0 : Math.min(1, utility / counts.memories),
});

/** What each domain held at the end of each bucket. */
export const toDomains = (span: Span, growth: readonly DomainGrowth[]): TrendDomain[] => {
  const domains = new Map<string, { kind: TrendDomain['kind']; name: string; added: Map<string | null, number> }>();
  for (const { kind, name, label, added } of growth) {
    const key = `${kind} ${name}`;
    const domain = domains.get(key) ?? { kind, name, added: new Map<string | null, number>() };
    domain.added.set(label, added);
    domains.set(key, domain);
  }
  return [...domains.values()].map(({ kind, name, added }) => {
    let held = added.get(null) ?? 0;
    return { kind, name, memories: span.buckets.map(({ label }) => (held += added.get(label) ?? 0)) };
  });
};
