import { redact } from '@tempera/client-kit';
import {
  type DistilledFact,
  distil,
  factIdentity,
  type FactKind,
  type RefusedFact,
  type Refusal,
  type ResolvedError,
} from '@tempera/core';
import type { DistilSet } from './distil-sets.js';

/** What one set came to. */
export interface DistilFigures {
  readonly set: string;
  readonly conversations: number;
  readonly turns: number;
  readonly unreadableLines: number;
  readonly kept: number;
  readonly keptByKind: Readonly<Partial<Record<FactKind, number>>>;
  readonly refused: number;
  readonly refusedByReason: Readonly<Partial<Record<Refusal, number>>>;
  /** Facts that the same set, distilled again, would add. */
  readonly addedByRepeat: number;
  readonly ms: number;
  readonly shown: readonly {
    readonly kind: FactKind;
    readonly content: string;
    readonly evidence: string;
    readonly errors: readonly ResolvedError[];
    readonly outcome: string | null;
    readonly files: number;
    readonly expires: string | null;
  }[];
  readonly summaries: readonly string[];
  readonly refusedShown: readonly RefusedFact[];
}

const bearsSecret = (text: string): boolean => text.includes('[REDACTED:') || redact(text).removed.length > 0;

/** One pass over a set, against what is known already; what is new becomes known. */
const pass = (
  set: DistilSet,
  known: Set<string>,
): { facts: DistilledFact[]; refused: RefusedFact[]; summaries: string[] } => {
  const [facts, refused, summaries]: [DistilledFact[], RefusedFact[], string[]] = [[], [], []];
  for (const { turns } of set.conversations) {
    const isKnown = (fact: Pick<DistilledFact, 'kind' | 'content'>): boolean => known.has(factIdentity(fact));
    const found = distil(turns, { bearsSecret, isKnown });
    for (const fact of found.facts) known.add(factIdentity(fact));
    facts.push(...found.facts);
    refused.push(...found.refused);
    if (found.summary !== '') summaries.push(found.summary);
  }
  return { facts, refused, summaries };
};

const counted = <T extends string>(names: readonly T[]): Partial<Record<T, number>> => {
  const counts: Partial<Record<T, number>> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** So many of all, spread evenly, so that a long set shows more than its beginning. */
const spread = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, index) => all[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  );
};

/** Distils a set twice. @param show how many facts are shown for reading */
export const runDistil = (set: DistilSet, show: number): DistilFigures => {
  const known = new Set<string>();
  const began = performance.now();
  const { facts, refused, summaries } = pass(set, known);
  const ms = Math.round(performance.now() - began);
  const again = pass(set, known);
  return {
    set: set.name,
    conversations: set.conversations.length,
    turns: set.conversations.reduce((sum, { turns }) => sum + turns.length, 0),
    unreadableLines: set.unreadable,
    kept: facts.length,
    keptByKind: counted(facts.map(({ kind }) => kind)),
    refused: refused.length,
    refusedByReason: counted(refused.map(({ reason }) => reason)),
    addedByRepeat: again.facts.length,
    ms,
    shown: spread(facts, show).map(({ kind, content, evidence, expiresAt, errors, outcome, files }) => ({
      ...{ kind, content, evidence: evidence[0]?.quote ?? '', errors, outcome, files: files.length },
      expires: expiresAt?.toISOString() ?? null,
    })),
    summaries: spread(summaries, 3),
    refusedShown: spread(refused, show),
  };
};
