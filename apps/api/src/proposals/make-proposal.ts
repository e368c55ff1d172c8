import type { MemoryId } from '@tempera/core';
import {
  appendAudit,
  type AudienceTarget,
  findProposal,
  insertProposal,
  type ProposalRecord,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { noSuchProposal } from './no-such-proposal.js';

/** Asks for a memory of the caller to be shared, and leaves that in the audit. Call it last in its transaction. */
export const makeProposal = async (
  tx: Tx,
  caller: Caller,
  memoryId: MemoryId,
  to: AudienceTarget,
): Promise<ProposalRecord> => {
  const id = await insertProposal(tx, caller.tenantId, { memoryId, proposerId: caller.userId, to });
  const proposal = await findProposal(tx, caller.tenantId, id);
  if (proposal === null) throw noSuchProposal();
  const details = {
    memory: memoryId,
    scope: to.scope,
    ...(to.projectId === null ? {} : { project: to.projectId }),
    ...(to.groupId === null ? {} : { group: to.groupId }),
  };
  await appendAudit(tx, { action: 'proposal.made', subjectKind: 'proposal', subjectId: id, details });
  return proposal;
};
