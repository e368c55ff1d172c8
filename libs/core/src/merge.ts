/**
 * Whether a captured text may become the next revision of a stored memory (docs/design.md, "Conflict guard"), beside what
 * the guard says of the two texts.
 */
import type { GroupId, MemoryKind, ProjectId, Scope, UserId } from './memory.js';

/** Whose a memory is, who sees it and of what kind it is. */
export interface Circle {
  readonly kind: MemoryKind;
  readonly scope: Scope;
  readonly ownerId: UserId;
  /** Null for what is kept outside any project. */
  readonly projectId: ProjectId | null;
  /** Set for scope `group`. */
  readonly groupId: GroupId | null;
}

/** Whether two are by the same author, for the same people, from the same project and of the same kind. */
export const isOfOneCircle = (one: Circle, other: Circle): boolean =>
  one.kind === other.kind &&
  one.ownerId === other.ownerId &&
  one.scope === other.scope &&
  one.projectId === other.projectId &&
  one.groupId === other.groupId;

/** How near one encoder finds two texts. */
export interface CosineReach {
  /** Cosine of the part whose nearest part in the other text is farthest. */
  readonly worst: number;
  /** What it must reach. */
  readonly threshold: number;
}

/** Whether every part has a partner that near, for every encoder that read the texts; never where none did. */
export const isNearThroughout = (byEncoder: readonly CosineReach[]): boolean =>
  byEncoder.length > 0 && byEncoder.every(({ worst, threshold }) => worst >= threshold);
