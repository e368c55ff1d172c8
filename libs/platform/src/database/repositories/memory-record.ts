import {
  asId,
  type GroupId,
  type MemoryId,
  type MemoryKind,
  type Outcome,
  type ProjectId,
  type Scope,
  type SessionId,
  type TaskType,
  type UserId,
  type Validity,
  type Verification,
  VERIFICATIONS,
} from '@tempera/core';
import type { MemoryStanding } from '../../search/search-candidate.js';
import { type StandingRow, toStanding } from './memory-standing-row.js';

export const MEMORY_STATES = ['active', 'archived', 'forgotten', 'refuted'] as const;
export type MemoryState = (typeof MEMORY_STATES)[number];

/** How a text came. */
export const WRITTEN_AS = ['captured', 'merged', 'edited'] as const;
export type WrittenAs = (typeof WRITTEN_AS)[number];

export { type Verification, VERIFICATIONS };

export const EMBEDDING_STATES = ['pending', 'ready', 'failed'] as const;
export type EmbeddingState = (typeof EMBEDDING_STATES)[number];

export interface ErrorResolution {
  readonly error: string;
  readonly resolution: string | null;
}

export interface Alternative {
  readonly approach: string;
  readonly whyNot: string;
  readonly revisitIf: string | null;
}

/** What someone says about a piece of work or a fact. */
export interface MemoryContent {
  readonly kind: MemoryKind;
  readonly title: string;
  readonly text: string;
  readonly taskType: TaskType | null;
  readonly outcome: Outcome | null;
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly errorsResolved: readonly ErrorResolution[];
  readonly alternatives: readonly Alternative[];
  readonly validity: Validity;
  readonly verification: Verification;
  readonly pinned: boolean;
  readonly expiresAt: Date | null;
}

/** A memory as it is stored, with how it has proved itself; read with the eyes of the door's caller. */
export interface MemoryRecord extends MemoryContent, MemoryStanding {
  readonly id: MemoryId;
  readonly ownerId: UserId;
  readonly projectId: ProjectId | null;
  /** Set for scope `group`. */
  readonly groupId: GroupId | null;
  readonly scope: Scope;
  readonly state: MemoryState;
  readonly sessionId: SessionId | null;
  readonly revision: number;
  /** By how many (user, session) it was captured. */
  readonly proofCount: number;
  readonly embeddingState: EmbeddingState;
  /** Who wrote the present text: its owner, or a maintainer who edited it. */
  readonly writtenBy: UserId;
  readonly writtenAs: WrittenAs;
  /** When the present text came. */
  readonly textSince: Date;
  readonly stateSince: Date;
  /** Why it was archived or refuted, where somebody said so. */
  readonly stateReason: string | null;
  /** The memory that stands for it since a merge. */
  readonly mergedInto: MemoryId | null;
  /** What shows that it is false, where the caller may see it; while it is refuted. */
  readonly refutedBy: MemoryId | null;
  readonly validFrom: Date;
  readonly validTo: Date | null;
  /** The memory that took its place, where the caller may see it. */
  readonly supersededBy: MemoryId | null;
  /** Since when that is known; null: it stands. */
  readonly supersededAt: Date | null;
  /** When the work it tells of ended. */
  readonly endedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What the tenant has set for memories of validity none to lose in an unused day; null: the default. */
  readonly noneRate: number | null;
  /** The memory that lends the most, where the caller may see it. */
  readonly lentFrom: MemoryId | null;
  /** `createdAt` as the database writes it, with its microseconds: where a page of the list may go on. */
  readonly createdAtText: string;
}

export interface MemoryRow extends StandingRow {
  id: string;
  owner_id: string;
  project_id: string | null;
  group_id: string | null;
  scope: string;
  kind: string;
  title: string;
  text: string;
  task_type: string | null;
  outcome: string | null;
  tags: string[];
  files_modified: string[];
  errors_resolved: ErrorResolution[];
  alternatives: Alternative[];
  validity: string;
  verification: string;
  pinned: boolean;
  expires_at: Date | null;
  session_id: string | null;
  revision: number;
  proof_count: number;
  state: string;
  embedding_state: string;
  written_by: string | null;
  written_as: string;
  text_since: Date;
  state_since: Date;
  state_reason: string | null;
  merged_into: string | null;
  valid_from: Date;
  valid_to: Date | null;
  visible_superseded_by: string | null;
  visible_refuted_by: string | null;
  superseded_at: Date | null;
  ended_at: Date;
  created_at: Date;
  updated_at: Date;
  visible_lent_from: string | null;
  none_rate: number | null;
  created_at_text: string;
}

/** The row in the words of the design. Its words are the CHECK constraints' words, so they are taken as they are. */
export function toMemoryRecord(row: MemoryRow): MemoryRecord {
  return {
    ...toStanding(row),
    ...toContent(row),
    id: asId(row.id),
    ownerId: asId(row.owner_id),
    projectId: row.project_id === null ? null : asId<ProjectId>(row.project_id),
    groupId: row.group_id === null ? null : asId<GroupId>(row.group_id),
    scope: row.scope as Scope,
    state: row.state as MemoryState,
    sessionId: row.session_id === null ? null : asId<SessionId>(row.session_id),
    revision: row.revision,
    proofCount: row.proof_count,
    embeddingState: row.embedding_state as EmbeddingState,
    writtenBy: asId(row.written_by ?? row.owner_id),
    writtenAs: row.written_as as WrittenAs,
    textSince: row.text_since,
    stateSince: row.state_since,
    stateReason: row.state_reason,
    mergedInto: row.merged_into === null ? null : asId<MemoryId>(row.merged_into),
    refutedBy: row.visible_refuted_by === null ? null : asId<MemoryId>(row.visible_refuted_by),
    validFrom: row.valid_from,
    validTo: row.valid_to,
    supersededBy: row.visible_superseded_by === null ? null : asId<MemoryId>(row.visible_superseded_by),
    supersededAt: row.superseded_at,
    endedAt: row.ended_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lentFrom: row.visible_lent_from === null ? null : asId<MemoryId>(row.visible_lent_from),
    createdAtText: row.created_at_text,
    noneRate: row.none_rate,
  };
}

function toContent(row: MemoryRow): MemoryContent {
  return {
    kind: row.kind as MemoryKind,
    title: row.title,
    text: row.text,
    taskType: row.task_type as TaskType | null,
    outcome: row.outcome as Outcome | null,
    tags: row.tags,
    filesModified: row.files_modified,
    errorsResolved: row.errors_resolved.map(({ error, resolution }) => ({ error, resolution: resolution ?? null })),
    alternatives: row.alternatives.map(({ approach, whyNot, revisitIf }) => ({
      approach,
      whyNot,
      revisitIf: revisitIf ?? null,
    })),
    validity: row.validity as Validity,
    verification: row.verification as Verification,
    pinned: row.pinned,
    expiresAt: row.expires_at,
  };
}
