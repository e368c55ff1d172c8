import type {
  MemoryId,
  MemoryKind,
  ProjectId,
  RetrievalId,
  Scope,
  SessionId,
  UserId,
  Validity,
  Verification,
} from '@tempera/core';
import type { EncoderId } from '../embedding/exports.js';

/** A vote for a question that is like the present one; nobody but the ranking sees it. */
export interface LikeQuestionVote {
  readonly userId: UserId;
  /** The retrieval it answers: with the voter, what makes it one vote whichever encoder read the question. */
  readonly retrievalId: RetrievalId;
  readonly helpful: boolean;
  /** When it was last given; its UTC day decides which of a person's votes speaks. */
  readonly at: Date;
  readonly encoder: EncoderId;
  /** Between the two questions, above the card's tau. */
  readonly cosine: number;
  /** So near that the two ask the same thing. */
  readonly isLike: boolean;
  /** The voter wrote the memory that the vote was given: this one, or one that was merged into it. */
  readonly isOwn: boolean;
}

/** The learned side of a memory, as its row holds it. */
export interface MemoryStanding {
  /** H and U: summed weights of helpful and unhelpful votes. */
  readonly helpful: number;
  readonly unhelpful: number;
  readonly helpfulVoters: number;
  /** Helpful voters who are not the author. */
  readonly helpfulOthers: number;
  readonly askedRetrievals: number;
  readonly credit: number;
  readonly propagated: number;
  readonly reached: number;
  readonly lastUsefulAt: Date;
}

/** What the ranking must know of a memory; its text is not among it. */
export interface SearchCandidate extends MemoryStanding {
  readonly id: MemoryId;
  readonly ownerId: UserId;
  readonly projectId: ProjectId | null;
  readonly scope: Scope;
  readonly kind: MemoryKind;
  readonly validity: Validity;
  readonly verification: Verification;
  readonly pinned: boolean;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly sessionId: SessionId | null;
  /** When the work it tells of ended. */
  readonly endedAt: Date;
  /** The one before it in its session, if that may be relevant itself; see findCandidates. */
  readonly precededBy: MemoryId | null;
  /** How many terms its text has, as keyword search counts them. */
  readonly terms: number;
  /** Best cosine over the memory's parts, by encoder of the question; empty while it has no vector. */
  readonly cosines: ReadonlyMap<EncoderId, number>;
  /** BM25 over what was searched, 0 without a common term. */
  readonly bm25: number;
  /** Share of the question's keyword weight that its terms hold, 0..1. */
  readonly covered: number;
  readonly votes: readonly LikeQuestionVote[];
}
