import type { ProposalRecord } from '@tempera/platform';
import type { Proposal } from './proposal.types.js';

/** A proposal as the caller is shown it; approved, the memory would still be its proposer's. */
export const toProposal = (record: ProposalRecord): Proposal => ({
  proposerId: record.proposerId,
  deciderId: record.decidedBy,
  id: record.id,
  memoryId: record.memoryId,
  revision: record.revision,
  to: { ...record.to, ownerId: record.proposerId },
  content: record.content,
  state: record.state,
  reason: record.reason,
  decidedAt: record.decidedAt,
  createdAt: record.createdAt,
});
