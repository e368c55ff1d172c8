import {
  ALIKE_SHARE,
  isNearThroughout,
  type Encounter,
  endingConflict,
  judgeEncounter,
  judgeOnePrompt,
  type Nearness,
  type Standpoint,
  type TextConflict,
  type Verdict,
} from '@tempera/core';
import {
  fullTextOf,
  type MemoryRecord,
  type NearMemory,
  saysTheSame,
  type TextEmbedding,
  toKeywords,
} from '@tempera/platform';

/** One of two texts that meet. */
export type Side = Pick<MemoryRecord, 'kind' | 'title' | 'text' | 'projectId' | 'endedAt' | 'outcome'>;

/** What the project has set over the card's; null where it has not. */
export interface Thresholds {
  readonly merge: number | null;
  readonly cluster: number | null;
}

/** The vectors of one of two texts, and what counts as near by them. */
export interface Measure {
  readonly embeddings: readonly TextEmbedding[];
  readonly thresholds: Thresholds;
}

/** A text that is there and a newer one, for the same people, and how near the vectors find them. */
export interface Meeting extends Measure {
  readonly older: Side;
  readonly newer: Side;
  /** Absent where no vector says so. */
  readonly near: NearMemory | undefined;
  /** Both were captured from one prompt, by one author. */
  readonly isOfOnePrompt?: boolean;
}

/** What the newer of two texts is to the older. @param mayRetire whether who says the newer may retire the older */
export const judgeMeeting = (meeting: Meeting, mayRetire: boolean): Verdict => {
  const { older, newer } = meeting;
  if (saysTheSame(older, newer)) {
    const differences = endingConflict(older, newer);
    return { relation: differences.length > 0 ? 'conflict' : 'same', differences };
  }
  const sharedWords = shareOfWords(older.text, newer.text);
  const encounter: Encounter = {
    older: standpointOf(older),
    newer: standpointOf(newer),
    nearness: nearnessOf(meeting, sharedWords),
    ...{ sharedWords, mayRetire },
  };
  if (meeting.isOfOnePrompt !== true) return judgeEncounter(encounter);
  return judgeOnePrompt(encounter, isOfOneSubject(meeting, sharedWords));
};

/** As far as neighbours go; while there are no vectors the words tell. */
const isOfOneSubject = (meeting: Meeting, sharedWords: number): boolean => {
  const { near, embeddings } = meeting;
  if (embeddings.length === 0) return sharedWords >= ALIKE_SHARE;
  return near !== undefined && reaches(near, meeting, 'edge');
};

const standpointOf = (side: Side): Standpoint => ({
  kind: side.kind,
  text: fullTextOf(side),
  projectId: side.projectId,
  endedAt: side.endedAt,
  outcome: side.outcome,
});

const nearnessOf = (meeting: Meeting, sharedWords: number): Nearness => {
  const { near } = meeting;
  if (near === undefined) return 'far';
  if (reaches(near, meeting, 'merge')) return 'repetition';
  if (reaches(near, meeting, 'cluster')) return 'near';
  return sharedWords >= ALIKE_SHARE ? 'alike' : 'far';
};

/** The share of terms, of the larger text's, that both have, 0..1. */
const shareOfWords = (one: string, other: string): number => {
  const [a, b] = [toKeywords(one).terms, toKeywords(other).terms];
  const shared = [...a.keys()].filter((term) => b.has(term)).length;
  return shared / Math.max(1, a.size, b.size);
};

/** Whether every part of one text has a partner that near in the other, for every encoder that reads them. */
export const reaches = (
  near: NearMemory,
  { embeddings, thresholds }: Measure,
  threshold: 'merge' | 'cluster' | 'edge',
): boolean =>
  isNearThroughout(
    embeddings.map(({ encoder, card }) => ({
      worst: near.byEncoder.get(encoder)?.worst ?? -1,
      threshold: (threshold === 'edge' ? null : thresholds[threshold]) ?? card.thresholds[threshold].cosine,
    })),
  );

/** A difference as a person reads it. */
export const inWords = ({ kind, one, other }: TextConflict): string =>
  kind === 'order' ? `order: ${one.join(', ')}` : `${kind}: ${said(one)} / ${said(other)}`;

const said = (items: readonly string[]): string => (items.length === 0 ? '–' : items.join(', '));
