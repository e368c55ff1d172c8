import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  approveProposal,
  declineProposal,
  type Doors,
  findProposal,
  listProposals,
  type ProposalFilter as ListFilter,
  type ProposalRecord,
  type Tx,
  withdrawProposal,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { checkText } from '../memories/check-input.js';
import { DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import { noSuchProposal } from './no-such-proposal.js';
import type { ProposalFilter } from './proposal.types.js';

const MAX_REASON = 2_000;

/** Memories that wait for someone to let them in. */
@Injectable()
export class ProposalsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** The caller's own, and those that the caller decides, newest first. */
  async page(caller: Caller, args: PageArgs, given: ProposalFilter | null): Promise<Page<ProposalRecord>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'proposals', filter: given });
    const [createdAtText, id] = request.after ?? [];
    const after = createdAtText === undefined || id === undefined ? null : { createdAtText, id };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      const filter = await toListFilter(tx, caller, given);
      return listProposals(tx, caller.tenantId, filter, { after, take: request.take });
    });
    return this.paging.pageOf(rows, request, (row) => [row.createdAtText, row.id]);
  }

  /**
   * Shares what was proposed. @throws AppError `not-found`, `forbidden` for its proposer, `conflict` where it is decided, or
   * where the memory or its owner is no longer what was proposed; it is stale then
   */
  async approve(caller: Caller, id: string): Promise<ProposalRecord> {
    const proposal = await this.decide(caller, id, 'proposal.approved', approveProposal);
    if (proposal.state === 'approved') return proposal;
    throw new AppError(
      'conflict',
      'proposal-stale',
      'The memory or its owner is no longer what was proposed; it would have to be proposed again.',
    );
  }

  /** @throws AppError as {@link approve}; `invalid-input` without a reason */
  async decline(caller: Caller, id: string, reason: string): Promise<ProposalRecord> {
    const text = checkText(reason, { name: 'reason', max: MAX_REASON });
    return this.decide(caller, id, 'proposal.declined', (tx, proposalId) => declineProposal(tx, proposalId, text));
  }

  /** @throws AppError `not-found`, `forbidden` for who did not make it, `conflict` where it is decided */
  async withdraw(caller: Caller, id: string): Promise<ProposalRecord> {
    return this.decide(caller, id, 'proposal.withdrawn', withdrawProposal);
  }

  private decide(
    caller: Caller,
    given: string,
    action: string,
    work: (tx: Tx, id: string) => Promise<unknown>,
  ): Promise<ProposalRecord> {
    return this.doors.asTenant(caller, async (tx) => {
      const id = parseUuid(given);
      if (id === null) throw noSuchProposal();
      await work(tx, id);
      const proposal = await findProposal(tx, caller.tenantId, id);
      if (proposal === null) throw noSuchProposal();
      const said = proposal.state === 'stale' ? 'proposal.stale' : action;
      const details = { memory: proposal.memoryId };
      await appendAudit(tx, { action: said, subjectKind: 'proposal', subjectId: id, details });
      return proposal;
    });
  }
}

const toListFilter = async (tx: Tx, caller: Caller, given: ProposalFilter | null): Promise<ListFilter> => {
  const { state, project, mine } = given ?? {};
  const found = project ? await requireProject(tx, caller.tenantId, project) : null;
  return {
    ...(state ? { state } : {}),
    ...(found === null ? {} : { projectId: found.id }),
    ...(mine === true ? { proposerId: caller.userId } : {}),
  };
};
