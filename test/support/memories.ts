import { randomUUID } from 'node:crypto';
import type { Doors, Identity, Prisma } from '@tempera/platform';

/** What a test says about a memory; everything else has a plain default. */
export interface MemoryDraft {
  readonly scope?: 'private' | 'project' | 'group' | 'tenant';
  readonly projectId?: string;
  readonly groupId?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly text?: string;
  readonly outcome?: 'success' | 'partial' | 'failure';
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  readonly sessionId?: string;
}

const rowOf = (author: Identity, id: string, draft: MemoryDraft): Prisma.MemoryCreateManyInput => {
  const endedAt = draft.endedAt ?? new Date();
  return {
    tenantId: author.tenantId,
    id,
    ownerId: author.userId,
    scope: draft.scope ?? 'private',
    kind: draft.kind ?? 'episode',
    title: draft.title ?? 'a title',
    text: draft.text ?? `text of ${id}`,
    validFrom: endedAt,
    startedAt: draft.startedAt ?? endedAt,
    endedAt,
    ...(draft.projectId === undefined ? {} : { projectId: draft.projectId }),
    ...(draft.groupId === undefined ? {} : { groupId: draft.groupId }),
    ...(draft.outcome === undefined ? {} : { outcome: draft.outcome }),
    ...(draft.sessionId === undefined ? {} : { sessionId: draft.sessionId }),
  };
};

/** A memory written by its author through the door; its id. */
export const makeMemory = async (doors: Doors, author: Identity, draft: MemoryDraft = {}): Promise<string> => {
  const id = randomUUID();
  await doors.asTenant(author, (tx) => tx.memory.createMany({ data: rowOf(author, id, draft) }));
  return id;
};

/** A vector of a memory, as its author would store it at capture. */
export const makeEmbedding = async (
  doors: Doors,
  author: Identity,
  memoryId: string,
  numbers: readonly number[] = [1, 0, 0],
  encoder = 'test@0',
): Promise<void> => {
  await doors.asTenant(author, async (tx) => {
    await tx.$executeRaw`insert into embedding (tenant_id, memory_id, encoder, content_hash, vector)
      values (${author.tenantId}::uuid, ${memoryId}::uuid, ${encoder}, '\\x00', ${`[${numbers.join(',')}]`}::text::halfvec)`;
  });
};

/** A recorded answer that showed these memories to someone, best first; its id. */
export const makeRetrieval = async (
  doors: Doors,
  asker: Identity,
  memoryIds: readonly string[],
  options: { readonly kind?: 'asked' | 'injected'; readonly at?: Date; readonly question?: string } = {},
): Promise<string> => {
  const id = randomUUID();
  await doors.asTenant(asker, async (tx) => {
    await tx.retrieval.createMany({
      data: {
        tenantId: asker.tenantId,
        id,
        userId: asker.userId,
        kind: options.kind ?? 'asked',
        question: options.question ?? 'how?',
        createdAt: options.at ?? new Date(),
      },
    });
    const ones = memoryIds.map(() => 1);
    await tx.$executeRaw`select record_hits(${id}::uuid, ${[...memoryIds]}::uuid[], ${ones}::float8[], ${ones}::float8[])`;
  });
  return id;
};

/** A vote through the database's own function; the id of the retrieval it went to. */
export const castVote = (
  doors: Doors,
  voter: Identity,
  memoryId: string,
  helpful: boolean,
  options: { readonly retrievalId?: string; readonly at?: Date } = {},
): Promise<string> =>
  doors.asTenant(voter, async (tx) => {
    const [row] = await tx.$queryRaw<{ id: string }[]>`
      select record_vote(${memoryId}::uuid, ${helpful}, ${options.retrievalId ?? null}::uuid, null,
        ${options.at ?? new Date()}::timestamptz) as id`;
    if (!row) throw new Error('record_vote returned no row');
    return row.id;
  });
