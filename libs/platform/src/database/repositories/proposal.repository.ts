import {
  asId,
  type GroupId,
  type MemoryId,
  type ProjectId,
  type Scope,
  type TenantId,
  type UserId,
} from '@tempera/core';
import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.js';
import type { Tx } from '../context.js';
import type { AudienceTarget } from './audience.repository.js';
import type { Alternative, ErrorResolution } from './memory-record.js';

export const PROPOSAL_STATES = ['pending', 'approved', 'declined', 'withdrawn', 'stale'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** What a pending proposal shows of its memory; gone when it is decided. */
export interface ProposedContent {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly filesModified: readonly string[];
  readonly errorsResolved: readonly ErrorResolution[];
  readonly alternatives: readonly Alternative[];
}

/** A memory that its owner asks to share where he may not. */
export interface ProposalRecord {
  readonly id: string;
  readonly memoryId: MemoryId;
  readonly revision: number;
  readonly proposerId: UserId;
  readonly to: AudienceTarget;
  readonly content: ProposedContent | null;
  readonly state: ProposalState;
  readonly reason: string | null;
  readonly decidedBy: UserId | null;
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
  /** `createdAt` as the database writes it: where a page of the list may go on. */
  readonly createdAtText: string;
}

interface ProposalRow {
  id: string;
  memory_id: string;
  revision: number;
  proposer_id: string;
  to_scope: string;
  to_project_id: string | null;
  to_group_id: string | null;
  title: string | null;
  text: string | null;
  parts: Omit<ProposedContent, 'title' | 'text'> | null;
  state: string;
  reason: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  created_at: Date;
  created_at_text: string;
}

const SELECT = Prisma.sql`
  select p.id, p.memory_id, p.revision, p.proposer_id, p.to_scope, p.to_project_id, p.to_group_id, p.title, p.text, p.parts,
    p.state, p.reason, p.decided_by, p.decided_at, p.created_at, p.created_at::text as created_at_text
  from proposal p`;

const toRecord = (row: ProposalRow): ProposalRecord => ({
  id: row.id,
  memoryId: asId<MemoryId>(row.memory_id),
  revision: row.revision,
  proposerId: asId<UserId>(row.proposer_id),
  to: {
    scope: row.to_scope as Scope,
    projectId: row.to_project_id === null ? null : asId<ProjectId>(row.to_project_id),
    groupId: row.to_group_id === null ? null : asId<GroupId>(row.to_group_id),
  },
  content:
    row.title === null || row.text === null || row.parts === null
      ? null
      : { ...row.parts, title: row.title, text: row.text },
  state: row.state as ProposalState,
  reason: row.reason,
  decidedBy: row.decided_by === null ? null : asId<UserId>(row.decided_by),
  decidedAt: row.decided_at,
  createdAt: row.created_at,
  createdAtText: row.created_at_text,
});

/** Proposes to share a memory of the caller's own, with its words as they are. @throws what a policy refuses (42501) */
export const insertProposal = async (
  tx: Tx,
  tenantId: TenantId,
  { memoryId, proposerId, to }: Pick<ProposalRecord, 'memoryId' | 'proposerId' | 'to'>,
): Promise<string> => {
  const id = randomUUID();
  await tx.$executeRaw`
    insert into proposal (tenant_id, id, memory_id, proposer_id, to_scope, to_project_id, to_group_id)
    values (${tenantId}::uuid, ${id}::uuid, ${memoryId}::uuid, ${proposerId}::uuid, ${to.scope}, ${to.projectId}::uuid,
      ${to.groupId}::uuid)`;
  return id;
};

/** A visible proposal; null where there is none for the caller. */
export const findProposal = async (tx: Tx, tenantId: TenantId, id: string): Promise<ProposalRecord | null> => {
  const [row] = await tx.$queryRaw<
    ProposalRow[]
  >`${SELECT} where p.tenant_id = ${tenantId}::uuid and p.id = ${id}::uuid`;
  return row === undefined ? null : toRecord(row);
};

/** The proposal that waits for a memory, where the caller sees it. */
export const findPendingProposal = async (
  tx: Tx,
  tenantId: TenantId,
  memoryId: MemoryId,
): Promise<ProposalRecord | null> => {
  const [row] = await tx.$queryRaw<ProposalRow[]>`
    ${SELECT} where p.tenant_id = ${tenantId}::uuid and p.memory_id = ${memoryId}::uuid and p.state = 'pending'`;
  return row === undefined ? null : toRecord(row);
};

/** Which of the visible proposals a list shows. Absent parts do not narrow. */
export interface ProposalFilter {
  readonly state?: ProposalState;
  /** To this project, or to a group through it. */
  readonly projectId?: ProjectId;
  readonly proposerId?: UserId;
}

/** Visible proposals, newest first, at most `take`. */
export const listProposals = async (
  tx: Tx,
  tenantId: TenantId,
  { state, projectId, proposerId }: ProposalFilter,
  { after, take }: { readonly after: { createdAtText: string; id: string } | null; readonly take: number },
): Promise<ProposalRecord[]> => {
  const parts = [
    ...(state === undefined ? [] : [Prisma.sql`and p.state = ${state}`]),
    ...(projectId === undefined ? [] : [Prisma.sql`and p.to_project_id = ${projectId}::uuid`]),
    ...(proposerId === undefined ? [] : [Prisma.sql`and p.proposer_id = ${proposerId}::uuid`]),
    ...(after === null
      ? []
      : [Prisma.sql`and (p.created_at, p.id) < (${after.createdAtText}::timestamptz, ${after.id}::uuid)`]),
  ];
  const rows = await tx.$queryRaw<ProposalRow[]>`
    ${SELECT} where p.tenant_id = ${tenantId}::uuid ${parts.length === 0 ? Prisma.empty : Prisma.join(parts, ' ')}
    order by p.created_at desc, p.id desc limit ${take}`;
  return rows.map(toRecord);
};

/**
 * Widens what was proposed, or marks it stale where it is no longer that.
 * @throws AppError `not-found`, `forbidden` for who does not decide it, `conflict` where it is decided
 */
export const approveProposal = async (tx: Tx, id: string): Promise<'approved' | 'stale'> => {
  const [row] = await tx.$queryRaw<{ state: 'approved' | 'stale' }[]>`select approve_proposal(${id}::uuid) as state`;
  return row?.state ?? 'stale';
};

/** @throws as {@link approveProposal} */
export const declineProposal = async (tx: Tx, id: string, reason: string): Promise<void> => {
  await tx.$executeRaw`select decline_proposal(${id}::uuid, ${reason})`;
};

/** @throws AppError `not-found`, `forbidden` for who did not propose it, `conflict` where it is decided */
export const withdrawProposal = async (tx: Tx, id: string): Promise<void> => {
  await tx.$executeRaw`select withdraw_proposal(${id}::uuid)`;
};
