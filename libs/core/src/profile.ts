/** What is worth knowing about a person or a project before anything is asked (docs/design.md, "Profiles"). */
import type { MemoryKind } from './memory.js';

/** The parts of a profile, in the order in which it is read. */
export const PROFILE_PARTS = ['pinned', 'preference', 'correction', 'decision', 'background', 'helped'] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];

/** Lines of a profile; with {@link PROFILE_LINE_TOKENS} of each it goes into the beginning of a conversation. */
export const MAX_PROFILE_LINES = 24;
/** The most that one line tells. */
export const PROFILE_LINE_TOKENS = 60;

/** Whom or what a profile is of. */
export type ProfileOf = 'user' | 'project';

/** A memory that a profile could tell. */
export interface ProfileCandidate<Id extends string = string> {
  readonly id: Id;
  readonly kind: MemoryKind;
  readonly pinned: boolean;
  /** u, 0..1: value after fading. */
  readonly utility: number;
  /** People other than its author who found it helpful. */
  readonly helpfulOthers: number;
  readonly endedAt: Date;
}

export interface ProfileLine<Id extends string = string> {
  readonly id: Id;
  readonly part: ProfilePart;
}

/** Which part tells a memory: facts, and of a project also what helped others; what is open or asked is told elsewhere. */
const partOf = (of: ProfileOf, { kind, pinned, helpfulOthers }: ProfileCandidate): ProfilePart | null => {
  if (pinned) return 'pinned';
  if (kind === 'preference' || kind === 'correction' || kind === 'decision' || kind === 'background') return kind;
  return of === 'project' && helpfulOthers > 0 ? 'helped' : null;
};

/**
 * Chooses what a profile tells: the best of each part, then the second of each, so that no part crowds out another; what is
 * worth most first, then the newest, then by id. The same memories give the same profile in whatever order they come.
 */
export const chooseProfile = <Id extends string>(
  of: ProfileOf,
  candidates: readonly ProfileCandidate<Id>[],
  most: number = MAX_PROFILE_LINES,
): ProfileLine<Id>[] => {
  const queues = new Map<ProfilePart, ProfileCandidate<Id>[]>(PROFILE_PARTS.map((part) => [part, []]));
  for (const candidate of [...candidates].sort(byWorth)) {
    const part = partOf(of, candidate);
    if (part !== null) queues.get(part)?.push(candidate);
  }
  const chosen = new Map<ProfilePart, Id[]>(PROFILE_PARTS.map((part) => [part, []]));
  let left = most;
  for (let turn = 0; left > 0 && PROFILE_PARTS.some((part) => (queues.get(part)?.length ?? 0) > turn); turn += 1) {
    for (const part of PROFILE_PARTS) {
      const next = queues.get(part)?.[turn];
      if (next === undefined || left === 0) continue;
      chosen.get(part)?.push(next.id);
      left -= 1;
    }
  }
  return PROFILE_PARTS.flatMap((part) => (chosen.get(part) ?? []).map((id) => ({ id, part })));
};

const byWorth = (one: ProfileCandidate, other: ProfileCandidate): number =>
  other.utility - one.utility || other.endedAt.getTime() - one.endedAt.getTime() || (one.id < other.id ? -1 : 1);
