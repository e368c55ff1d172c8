import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type MemoryId, SCOPES, type UserId } from '@tempera/core';
import {
  appendAudit,
  type AudienceTarget,
  demoteMemory,
  type Doors,
  findAudienceChange,
  findPendingProposal,
  findProjectAccessById,
  isRefused,
  type MemoryRecord,
  type ProposalRecord,
  readMemories,
  shareMemory,
  transferMemory,
  type Tx,
  undoAudienceChange,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { checkOptionalText } from '../memories/check-input.js';
import { resolveId } from '../memories/memories.service.js';
import { noSuchMemory } from '../memories/no-such-memory.js';
import { mayNotShare } from '../memories/place-capture.js';
import { DOORS } from '../platform/platform.tokens.js';
import { makeProposal } from '../proposals/make-proposal.js';
import type { AudienceInput } from './audience.types.js';
import { projectArchived } from '../projects/require-project.js';
import { type Destination, findDestination } from './destination.js';

/** A memory after a change, and the proposal that stands for the change where the caller could only ask for it. */
export interface Shared {
  readonly record: MemoryRecord;
  readonly proposal: ProposalRecord | null;
}

const notTheOwner = (): AppError =>
  new AppError('forbidden', 'not-the-owner', 'Only its owner moves a memory to another audience.');

/** A target that a policy refuses is one that the caller has named and sees. */
const refusedAsForbidden = (error: unknown): never => {
  throw isRefused(error) ? mayNotShare() : error;
};

/** Changes who sees a memory: by its owner, or by proposal. */
@Injectable()
export class AudiencesService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** Shows a memory of the caller to more people; where he may not, asks those who may. @throws AppError of every kind */
  share(caller: Caller, input: AudienceInput): Promise<Shared> {
    return this.moved(caller, input, async (tx, record, destination) => {
      await refuseFromArchived(tx, caller, record);
      if (destination.mayPut) {
        await shareMemory(tx, record.id, destination.target);
        await audit(tx, 'memory.shared', record.id, destination.target);
        return null;
      }
      if (!destination.mayPropose) throw mayNotShare();
      return this.propose(tx, caller, record, destination.target);
    });
  }

  /** Shows a memory of the caller to fewer people. @throws AppError of every kind */
  async demote(caller: Caller, input: AudienceInput): Promise<MemoryRecord> {
    const { record } = await this.moved(caller, input, async (tx, { id }, { mayPut, target }) => {
      if (!mayPut) throw mayNotShare();
      await demoteMemory(tx, id, target);
      await audit(tx, 'memory.demoted', id, target);
      return null;
    });
    return record;
  }

  /** Gives a shared memory to someone. @throws AppError `not-found`, `forbidden`, `conflict` for who cannot receive it */
  transfer(caller: Caller, memoryId: string, userId: string): Promise<MemoryRecord> {
    return this.doors.asTenant(caller, async (tx) => {
      const { id } = await requireMemory(tx, caller, memoryId);
      const to = parseUuid(userId);
      if (to === null) throw cannotReceive();
      await transferMemory(tx, id, asId<UserId>(to));
      await appendAudit(tx, { action: 'memory.transferred', subjectKind: 'memory', subjectId: id, details: { to } });
      return readOne(tx, caller, id);
    });
  }

  /** Takes the latest change of a memory's audience back. @throws AppError `not-found`, `forbidden`, `conflict` */
  async undo(caller: Caller, changeId: string): Promise<MemoryRecord> {
    const work = this.doors.asTenant(caller, async (tx) => {
      const id = parseUuid(changeId);
      const change = id === null ? null : await findAudienceChange(tx, caller.tenantId, id);
      if (change === null) throw noSuchChange();
      await undoAudienceChange(tx, change.id);
      const details = { change: change.id };
      await appendAudit(tx, {
        action: 'memory.audience-undone',
        subjectKind: 'memory',
        subjectId: change.memoryId,
        details,
      });
      return readOne(tx, caller, change.memoryId);
    });
    return work.catch(refusedAsForbidden);
  }

  private moved(
    caller: Caller,
    input: AudienceInput,
    move: (tx: Tx, record: MemoryRecord, destination: Destination) => Promise<ProposalRecord | null>,
  ): Promise<Shared> {
    const project = checkOptionalText(input.project, { name: 'project', max: 63, oneLine: true });
    const group = checkOptionalText(input.group, { name: 'group', max: 63, oneLine: true });
    const work = this.doors.asTenant(caller, async (tx) => {
      const record = await requireMemory(tx, caller, input.memoryId);
      if (record.ownerId !== caller.userId) throw notTheOwner();
      const wish = { scope: input.scope, project, group, home: record.projectId };
      const destination = await findDestination(tx, caller, wish);
      if (isThere(record, destination.target)) return { record, proposal: null };
      const proposal = await move(tx, record, destination);
      return { record: await readOne(tx, caller, record.id), proposal };
    });
    return work.catch(refusedAsForbidden);
  }

  private async propose(tx: Tx, caller: Caller, record: MemoryRecord, to: AudienceTarget): Promise<ProposalRecord> {
    if (SCOPES.indexOf(to.scope) < SCOPES.indexOf(record.scope)) {
      throw new AppError(
        'conflict',
        'wrong-direction',
        'Sharing does not narrow who sees a memory; demote it instead.',
      );
    }
    if ((await findPendingProposal(tx, caller.tenantId, record.id)) !== null) {
      throw new AppError(
        'conflict',
        'proposal-pending',
        'A proposal for this memory waits already; withdraw it first.',
      );
    }
    return makeProposal(tx, caller, record.id, to);
  }
}

/** What an archived project shares is shown to nobody more. @throws AppError `conflict` */
const refuseFromArchived = async (tx: Tx, caller: Caller, { scope, projectId }: MemoryRecord): Promise<void> => {
  if (scope !== 'project' || projectId === null) return;
  const project = await findProjectAccessById(tx, caller.tenantId, projectId);
  if (project?.isArchived === true) throw projectArchived();
};

const isThere = (record: MemoryRecord, { scope, projectId, groupId }: AudienceTarget): boolean =>
  record.scope === scope && record.projectId === projectId && record.groupId === groupId;

const requireMemory = async (tx: Tx, caller: Caller, id: string): Promise<MemoryRecord> => {
  const memoryId = await resolveId(tx, caller, id);
  if (memoryId === null) throw noSuchMemory();
  return readOne(tx, caller, memoryId);
};

const readOne = async (tx: Tx, caller: Caller, id: MemoryId): Promise<MemoryRecord> => {
  const record = (await readMemories(tx, caller.tenantId, [id])).get(id);
  if (record === undefined) throw noSuchMemory();
  return record;
};

const detailsOf = ({ scope, projectId, groupId }: AudienceTarget): Record<string, string> => ({
  scope,
  ...(projectId === null ? {} : { project: projectId }),
  ...(groupId === null ? {} : { group: groupId }),
});

const audit = (tx: Tx, action: string, subjectId: MemoryId, target: AudienceTarget): Promise<unknown> =>
  appendAudit(tx, { action, subjectKind: 'memory', subjectId, details: detailsOf(target) });

const noSuchChange = (): AppError => new AppError('not-found', 'no-such-change', 'No such change.');
const cannotReceive = (): AppError =>
  new AppError('conflict', 'cannot-receive', 'That person could not have captured the memory where it is shared.');
