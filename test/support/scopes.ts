import { randomUUID } from 'node:crypto';
import type { Doors, Identity, Prisma } from '@tempera/platform';

/** Where a memory is to be seen. */
export interface Target {
  readonly scope: 'private' | 'project' | 'group' | 'tenant';
  readonly projectId?: string | null;
  readonly groupId?: string | null;
}

/** A new group, with the projects that its maker may let in. */
export const makeGroup = async (
  doors: Doors,
  maker: Identity,
  slug: string,
  projectIds: readonly string[] = [],
): Promise<string> => {
  const id = randomUUID();
  const { tenantId } = maker;
  await doors.asTenant(maker, (tx) =>
    tx.projectGroup.createMany({ data: { tenantId, id, slug, name: slug, createdBy: maker.userId } }),
  );
  for (const projectId of projectIds) await joinGroup(doors, maker, id, projectId);
  return id;
};

/** Lets a project into a group. */
export const joinGroup = (doors: Doors, by: Identity, groupId: string, projectId: string): Promise<unknown> =>
  doors.asTenant(by, (tx) => tx.groupProject.createMany({ data: { tenantId: by.tenantId, groupId, projectId } }));

/** Puts a project out of a group; how many rows that was. */
export const leaveGroup = async (doors: Doors, by: Identity, groupId: string, projectId: string): Promise<number> =>
  (await doors.asTenant(by, (tx) => tx.groupProject.deleteMany({ where: { groupId, projectId } }))).count;

/** Shares a memory by the database's own function. */
export const shareMemory = (doors: Doors, by: Identity, id: string, to: Target): Promise<unknown> =>
  doors.asTenant(
    by,
    (tx) =>
      tx.$executeRaw`select share_memory(${id}::uuid, ${to.scope}, ${to.projectId ?? null}::uuid, ${to.groupId ?? null}::uuid)`,
  );

/** Demotes a memory by the database's own function. */
export const demoteMemory = (doors: Doors, by: Identity, id: string, to: Target): Promise<unknown> =>
  doors.asTenant(
    by,
    (tx) =>
      tx.$executeRaw`select demote_memory(${id}::uuid, ${to.scope}, ${to.projectId ?? null}::uuid, ${to.groupId ?? null}::uuid)`,
  );

/** Gives a memory to someone. */
export const transferMemory = (doors: Doors, by: Identity, id: string, to: Identity): Promise<unknown> =>
  doors.asTenant(by, (tx) => tx.$executeRaw`select transfer_memory(${id}::uuid, ${to.userId}::uuid)`);

/** Takes a change of audience back. */
export const undoChange = (doors: Doors, by: Identity, changeId: string): Promise<unknown> =>
  doors.asTenant(by, (tx) => tx.$executeRaw`select undo_audience_change(${changeId}::uuid)`);

/** The changes of a memory's audience that someone may read, in order. */
export const changesOf = (
  doors: Doors,
  reader: Identity,
  memoryId: string,
): Promise<Prisma.AudienceChangeGetPayload<object>[]> =>
  doors.asTenant(reader, (tx) => tx.audienceChange.findMany({ where: { memoryId }, orderBy: { number: 'asc' } }));

/** Asks for a memory to be shared; the proposal's id. */
export const propose = async (doors: Doors, by: Identity, memoryId: string, to: Target): Promise<string> => {
  const id = randomUUID();
  await doors.asTenant(
    by,
    (
      tx,
    ) => tx.$executeRaw`insert into proposal (tenant_id, id, memory_id, proposer_id, to_scope, to_project_id, to_group_id)
      values (${by.tenantId}::uuid, ${id}::uuid, ${memoryId}::uuid, ${by.userId}::uuid, ${to.scope},
        ${to.projectId ?? null}::uuid, ${to.groupId ?? null}::uuid)`,
  );
  return id;
};

/** Approves a proposal; what became of it. */
export const approve = async (doors: Doors, by: Identity, id: string): Promise<string> => {
  const rows = await doors.asTenant(
    by,
    (tx) => tx.$queryRaw<{ state: string }[]>`select approve_proposal(${id}::uuid) as state`,
  );
  return rows[0]?.state ?? '';
};

/** Whether someone sees a memory, and its vector, which must agree. */
export const sees = (doors: Doors, person: Identity, id: string): Promise<boolean> =>
  doors.asTenant(person, async (tx) => {
    const memories = await tx.memory.count({ where: { id } });
    const vectors = await tx.embedding.count({ where: { memoryId: id } });
    if (memories !== vectors) throw new Error(`sees ${memories} memories and ${vectors} vectors`);
    return memories === 1;
  });
