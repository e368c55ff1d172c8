import { randomUUID } from 'node:crypto';
import type { PermittedAction } from '@tempera/core';
import { Prisma, type Identity, type Tx } from '@tempera/platform';

/** What the attempts are made on: all in one tenant. */
export interface Ground {
  readonly project: string;
  /** A project that reviews. */
  readonly reviewed: string;
  /** Holds `project` and one more. */
  readonly group: string;
  /** A project in no group, with the same members as `project`. */
  readonly outside: string;
  /** Another's memories. */
  readonly shared: Readonly<Record<'project' | 'group' | 'tenant', string>>;
  /** The shared memory of someone who was removed. */
  readonly orphan: string;
  /** Whose it is. */
  readonly leaver: string;
  /** Who may be given memories. */
  readonly heir: string;
  readonly proposals: Readonly<Record<'project' | 'tenant', string>>;
}

/** The mover, with a private and a shared memory of his own. */
export interface Mover extends Identity {
  readonly own: { readonly private: string; readonly shared: string };
  /** A retrieval that showed him the shared memories of others. */
  readonly retrieval: string;
}

/** Tries one thing; how many rows it reached. Throws what the database refuses. */
export type Attempt = (tx: Tx, me: Mover, ground: Ground) => Promise<number>;

const capture =
  (scope: string, place: (ground: Ground) => { project: string | null; group?: string }): Attempt =>
  (tx, me, ground) => {
    const { project, group = null } = place(ground);
    return tx.$executeRaw`insert into memory (tenant_id, owner_id, scope, project_id, group_id, kind, title, text, valid_from,
        started_at, ended_at)
      values (${me.tenantId}::uuid, ${me.userId}::uuid, ${scope}, ${project}::uuid, ${group}::uuid, 'decision', 't', 't',
        now(), now(), now())`;
  };
const count = async (work: Promise<{ count: number }>): Promise<number> => (await work).count;
const sees = (tx: Tx, id: string): Promise<number> => tx.memory.count({ where: { id } });
const pin = (tx: Tx, id: string): Promise<number> =>
  count(tx.memory.updateMany({ where: { id }, data: { pinned: true } }));
const call = async (tx: Tx, sql: Prisma.Sql): Promise<number> =>
  (await tx.$queryRaw<unknown[]>`select ${sql}::text`).length;
const transfer = (tx: Tx, memory: string, to: string): Promise<number> =>
  call(tx, Prisma.sql`transfer_memory(${memory}::uuid, ${to}::uuid)`);

/** An attempt for each action of the table that the database decides. `maintain` is decided by the runs' own rules. */
export const attempts: Readonly<Record<Exclude<PermittedAction, 'maintain'>, Attempt>> = {
  'manage-people': (tx, _, { heir }) =>
    count(tx.appUser.updateMany({ where: { id: heir }, data: { displayName: 'x' } })),
  'manage-tenant': (tx, me) => count(tx.tenant.updateMany({ where: { id: me.tenantId }, data: { name: 'x' } })),
  'manage-project': (tx, _, { project }) =>
    count(tx.project.updateMany({ where: { id: project }, data: { reviewRequired: true } })),
  'make-group': (tx, me) =>
    count(
      tx.projectGroup.createMany({
        data: { tenantId: me.tenantId, slug: randomUUID(), name: 'x', createdBy: me.userId },
      }),
    ),
  'join-group': (tx, me, { group, outside }) =>
    count(tx.groupProject.createMany({ data: { tenantId: me.tenantId, groupId: group, projectId: outside } })),
  // What is shared there is first moved back, which takes no less.
  'leave-group': async (tx, _, { group, project }) => {
    await call(tx, Prisma.sql`return_group_memories(${group}::uuid, ${project}::uuid)`);
    return count(tx.groupProject.deleteMany({ where: { groupId: group, projectId: project } }));
  },
  'delete-group': async (tx, _, { group }) => {
    await call(tx, Prisma.sql`return_group_memories(${group}::uuid, null)`);
    return count(tx.projectGroup.deleteMany({ where: { id: group } }));
  },
  'see-project': (tx, _, { shared }) => sees(tx, shared.project),
  'see-group': (tx, _, { shared }) => sees(tx, shared.group),
  'see-tenant': (tx, _, { shared }) => sees(tx, shared.tenant),
  vote: (tx, me, { shared }) =>
    tx.$executeRaw`insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision)
      values (${me.tenantId}::uuid, ${me.userId}::uuid, ${me.retrieval}::uuid, ${shared.project}::uuid, true, 1)`,
  'capture-private': capture('private', () => ({ project: null })),
  'capture-project': capture('project', ({ project }) => ({ project })),
  'capture-reviewed': capture('project', ({ reviewed }) => ({ project: reviewed })),
  'capture-group': capture('group', ({ project, group }) => ({ project, group })),
  'capture-tenant': capture('tenant', () => ({ project: null })),
  'edit-own': (tx, me) => count(tx.memory.updateMany({ where: { id: me.own.shared }, data: { text: 'new words' } })),
  'demote-own': (tx, me) => call(tx, Prisma.sql`demote_memory(${me.own.shared}::uuid, 'private', null, null)`),
  'transfer-own': (tx, me, { heir }) => transfer(tx, me.own.shared, heir),
  'transfer-orphan': (tx, _, { orphan, heir }) => transfer(tx, orphan, heir),
  // The record is an admin's to make; it is settled by whoever comes next.
  'settle-departure': async (tx, me, { leaver, heir }) => {
    await tx.$executeRaw`insert into departure (tenant_id, user_id, choice, to_user_id, requested_by)
      values (${me.tenantId}::uuid, ${leaver}::uuid, 'transfer', ${heir}::uuid, ${me.userId}::uuid)`;
    const [row] = await tx.$queryRaw<{ settled: number }[]>`select settled from settle_departure(${leaver}::uuid, 10)`;
    return row?.settled ?? 0;
  },
  'edit-others': (tx, _, { shared }) => pin(tx, shared.project),
  'edit-others-group': (tx, _, { shared }) => pin(tx, shared.group),
  'edit-others-tenant': (tx, _, { shared }) => pin(tx, shared.tenant),
  'move-others': (tx, _, { shared }) =>
    call(tx, Prisma.sql`demote_memory(${shared.tenant}::uuid, 'private', null, null)`),
  'approve-project': (tx, _, { proposals }) => call(tx, Prisma.sql`approve_proposal(${proposals.project}::uuid)`),
  'approve-tenant': (tx, _, { proposals }) => call(tx, Prisma.sql`approve_proposal(${proposals.tenant}::uuid)`),
};

/** The proposal that stands in for an action which one may only ask for. */
export const asking: Attempt = (tx, me, { reviewed }) =>
  tx.$executeRaw`insert into proposal (tenant_id, memory_id, proposer_id, to_scope, to_project_id)
    values (${me.tenantId}::uuid, ${me.own.private}::uuid, ${me.userId}::uuid, 'project', ${reviewed}::uuid)`;
