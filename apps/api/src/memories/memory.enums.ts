import { registerEnumType } from '@nestjs/graphql';
import { MEMORY_KINDS, OUTCOMES, SCOPES, TASK_TYPES, VALIDITIES } from '@tempera/core';
import { CAPTURE_SOURCES, EMBEDDING_STATES, MEMORY_STATES, VERIFICATIONS } from '@tempera/platform';

/** The words of the database, each under its upper-case name in GraphQL. */
const enumOf = <Word extends string>(words: readonly Word[]): Readonly<Record<string, Word>> =>
  Object.fromEntries(words.map((word) => [word.toUpperCase(), word]));

export const MERGE_MODES = ['auto', 'never'] as const;
export type MergeMode = (typeof MERGE_MODES)[number];

export const CAPTURE_STATUSES = ['created', 'merged', 'repeated'] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

export const RELATED_KINDS = [
  'neighbour',
  'near',
  'conflict',
  'session',
  'supersedes',
  'superseded_by',
  'refutes',
  'refuted_by',
] as const;
export type RelatedKind = (typeof RELATED_KINDS)[number];

export const MemoryKindEnum = enumOf(MEMORY_KINDS);
export const MemoryScopeEnum = enumOf(SCOPES);
export const MemoryStateEnum = enumOf(MEMORY_STATES);
export const TaskTypeEnum = enumOf(TASK_TYPES);
export const OutcomeEnum = enumOf(OUTCOMES);
export const ValidityEnum = enumOf(VALIDITIES);
export const VerificationEnum = enumOf(VERIFICATIONS);
export const EmbeddingStateEnum = enumOf(EMBEDDING_STATES);
export const CaptureSourceEnum = enumOf(CAPTURE_SOURCES);
export const MergeModeEnum = enumOf(MERGE_MODES);
export const CaptureStatusEnum = enumOf(CAPTURE_STATUSES);
export const RelatedKindEnum = enumOf(RELATED_KINDS);

registerEnumType(MemoryKindEnum, { name: 'MemoryKind' });
registerEnumType(MemoryScopeEnum, { name: 'MemoryScope' });
registerEnumType(MemoryStateEnum, {
  name: 'MemoryState',
  valuesMap: { REFUTED: { description: 'Turned out to be false: kept, labelled, and out of answers.' } },
});
registerEnumType(TaskTypeEnum, { name: 'TaskType' });
registerEnumType(OutcomeEnum, { name: 'Outcome' });
registerEnumType(ValidityEnum, { name: 'Validity' });
registerEnumType(VerificationEnum, { name: 'Verification' });
registerEnumType(EmbeddingStateEnum, { name: 'EmbeddingState' });
registerEnumType(CaptureSourceEnum, { name: 'CaptureSource' });
registerEnumType(MergeModeEnum, { name: 'MergeMode' });
registerEnumType(CaptureStatusEnum, {
  name: 'CaptureStatus',
  valuesMap: {
    CREATED: { description: 'A new memory.' },
    MERGED: { description: 'Joined with an earlier memory: its next revision, or more tags, files and the like.' },
    REPEATED: {
      description: 'Known already, by the same key or the same text, and perhaps as refuted; nothing was added.',
    },
  },
});
registerEnumType(RelatedKindEnum, {
  name: 'RelatedKind',
  valuesMap: {
    SUPERSEDES: { description: 'The other one gave way to this memory.' },
    SUPERSEDED_BY: { description: 'The other one took the place of this memory.' },
    REFUTES: { description: 'This memory shows that the other one is false.' },
    REFUTED_BY: { description: 'The other one shows that this memory is false.' },
  },
});
