import type { GroupId, MemoryId, MemoryKind, ProjectId, Scope, TenantId } from '@tempera/core';
import type { EncoderId } from '../embedding/exports.js';
import type { Keywords } from './text/exports.js';

/** The question as one encoder reads it, with the limits of its card that the database applies. */
export interface QuestionVector {
  readonly encoder: EncoderId;
  readonly vector: Float32Array;
  /** Votes for questions nearer than this count for the present one. */
  readonly tau: number;
  /** A memory voted helpful for a question at least this near is a candidate. */
  readonly likeQuestion: number;
}

/** What may be found, beside what row-level security leaves visible. Absent parts do not narrow. */
export interface SearchFilter {
  /**
   * Memories of this project, those that its groups share, and those that belong to none: one's private notes and what the
   * whole tenant shares.
   */
  readonly projectId?: ProjectId;
  /** Memories of these projects are passed by. */
  readonly exceptProjects?: readonly ProjectId[];
  /** Only what this group shares. */
  readonly groupId?: GroupId;
  readonly scope?: Scope;
  readonly kinds?: readonly MemoryKind[];
  /** Any of them. */
  readonly tags?: readonly string[];
  /** Any of them; a path matches itself and, as the end of a longer path, a file in it. */
  readonly files?: readonly string[];
  readonly since?: Date;
  readonly until?: Date;
  /** Only what was refuted, which is in no other answer. */
  readonly refuted?: boolean;
}

/** The words of a text that a memory had. */
export interface PastKeywords {
  readonly id: MemoryId;
  readonly keywords: Keywords;
}

/** One search of what the caller of the door may see. */
export interface SearchRequest {
  readonly tenantId: TenantId;
  /** None while no encoder is ready: then words alone find. */
  readonly question: readonly QuestionVector[];
  /** Distinct terms of the question, by the same analyser as the memories' keywords. */
  readonly terms: readonly string[];
  readonly filter: SearchFilter;
  /** What has expired or stopped being valid by then is left out. */
  readonly now: Date;
  /** What was known and valid then is searched instead. */
  readonly asOf?: Date;
  /** What memories said then and say no more: found by their words alone. */
  readonly past?: readonly PastKeywords[];
  /** The most candidates that each leg (an encoder, the keywords) brings. */
  readonly perLeg: number;
  /** Visible vectors of an encoder from which an index is used, where the tenant has one; default 20,000. */
  readonly indexFromVectors?: number;
}
