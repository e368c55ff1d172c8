import {
  asId,
  audienceKey,
  type GroupId,
  learningShare,
  type ProjectId,
  type PropagationNode,
  type UserId,
} from '@tempera/core';
import type { SnapshotNode } from '../database/repositories/propagation.repository.js';

/**
 * A snapshot row as core sees it.
 * @param alpha how far a loan moves in one night, 0..1
 */
export const toNode = (row: SnapshotNode, alpha: number): PropagationNode => ({
  id: row.id,
  evidence: row.evidence,
  earned: row.earned,
  propagated: row.propagated,
  alpha: learningShare(row.propagated, alpha, row.daysSincePropagated),
  helpfulVotes: row.helpfulVotes,
  askedRetrievals: row.askedRetrievals,
});

/** Equal for two memories exactly when the same people see both. */
export const audienceOf = ({ scope, ownerId, projectId, groupId }: SnapshotNode): string =>
  audienceKey({
    scope,
    ownerId: asId<UserId>(ownerId),
    projectId: asId<ProjectId>(projectId ?? ''),
    groupId: groupId === null ? null : asId<GroupId>(groupId),
  });

/** A session within one audience: its memories are mates. Null for a memory of no session. */
export const circleOf = (row: SnapshotNode): string | null =>
  row.sessionId === null ? null : `${row.sessionId} ${audienceOf(row)}`;
