import type { MemoryId, TenantId, UserId } from '@tempera/core';
import {
  type Doors,
  findConflict,
  findNear,
  insertLinks,
  lockCaptures,
  lockDecisions,
  lockRetirable,
  type MemoryRecord,
  type MemoryToEmbed,
  type NearMemory,
  readMemories,
  type TextEmbedding,
  type Tx,
} from '@tempera/platform';
import { linksOf } from './keep-memory.js';
import { CLOSE_LIMIT, type CloseMemory, lookAround, NEAR_LIMIT } from './look-around.js';
import { inWords, judgeMeeting } from './meet.js';
import { thresholdsOf } from './replace-words.js';
import { retire } from './retire.js';

/** A text whose vectors came after it was captured. */
export interface LateText {
  readonly memory: MemoryToEmbed;
  readonly embeddings: readonly TextEmbedding[];
  readonly now: Date;
}

/** A later text among whose nearest the late one is. */
interface Follower {
  readonly id: MemoryId;
  readonly writtenBy: UserId;
  readonly near: NearMemory;
}

/**
 * Does for a text that got its vectors later what its capture would have done with them: what it repeats or contradicts is
 * linked, and older decisions give way to it; and it gives way to, or is linked from, what was captured since. Each in the
 * name of who wrote the newer of the two, by the rights that they have today, so that the outcome does not hang on which of
 * two texts was read first (of three decisions in a row the first may name the last as what took its place). The vectors
 * must be committed: of two texts that are read at once one then sees the other. May be repeated. What somebody wrote who
 * sees it no longer is left to its neighbours.
 */
export const settleLate = async (doors: Doors, late: LateText): Promise<void> => {
  const { tenantId, writtenBy } = late.memory;
  const followers = await doors.asTenant({ tenantId, userId: writtenBy }, (tx) => settleBefore(tx, late));
  for (const follower of followers) {
    await doors.asTenant({ tenantId, userId: follower.writtenBy }, (tx) => settleFollower(tx, late, follower));
  }
};

/** What the text is to those before it. @returns those after it, in the order they came */
const settleBefore = async (tx: Tx, late: LateText): Promise<Follower[]> => {
  const { memory, embeddings, now } = late;
  const { tenantId, id } = memory;
  await lockCaptures(tx, tenantId, memory.writtenBy);
  const record = await holdStanding(tx, late);
  if (record === undefined) return [];
  const around = await lookAround(tx, {
    ...{ caller: { tenantId }, audience: record, content: record, embeddings, endedAt: record.endedAt, now },
    // Merging would take away a memory whose id its author was told.
    mayMerge: false,
    mayRetire: mayRetire(record, memory),
    thresholds: await thresholdsOf(tx, { tenantId }, record),
    except: id,
    isBefore: (neighbour) => isBefore(neighbour, record),
  });
  const superseded = await unjudged(tx, tenantId, record, around.superseded);
  await insertLinks(tx, tenantId, linksOf(id, { ...around, neighbours: [] }), now);
  await retire(tx, { tenantId }, record, superseded, now);
  // Its own link to this one counts among those that are nearer.
  const after = around.neighbours
    .filter((neighbour) => !isBefore(neighbour, record) && neighbour.nearerNeighbours <= CLOSE_LIMIT)
    .sort((one, other) => one.since.getTime() - other.since.getTime());
  const writers = await readMemories(
    tx,
    tenantId,
    after.map((neighbour) => neighbour.id),
  );
  return after.flatMap((near) => {
    const writtenBy = writers.get(near.id)?.writtenBy;
    return writtenBy === undefined ? [] : [{ id: near.id, writtenBy, near }];
  });
};

/** What a later text is to this one. */
const settleFollower = async (tx: Tx, late: LateText, follower: Follower): Promise<void> => {
  const { memory, embeddings, now } = late;
  const { tenantId, id } = memory;
  await lockCaptures(tx, tenantId, follower.writtenBy);
  const older = await holdStanding(tx, late);
  const newer = (await readMemories(tx, tenantId, [follower.id])).get(follower.id);
  if (older === undefined || newer === undefined || hasEnded(newer, now)) return;
  const [near] = await findNear(tx, { tenantId, audience: older, embeddings, only: newer.id, limit: NEAR_LIMIT });
  const meeting = { older, newer, near, embeddings, thresholds: await thresholdsOf(tx, { tenantId }, newer) };
  const wanted = mayRetire(newer, memory) && judgeMeeting(meeting, true).relation === 'supersedes';
  const retirable = wanted ? await lockRetirable(tx, tenantId, [id], true) : new Set();
  const { relation, differences } = judgeMeeting(meeting, retirable.has(id));
  const close: CloseMemory = { record: older, similarity: near?.cosine ?? 0, differences: differences.map(inWords) };
  if (relation === 'supersedes')
    return retire(tx, { tenantId }, newer, await unjudged(tx, tenantId, newer, [close]), now);
  const sides = {
    near: relation === 'near' || relation === 'same' ? [close] : [],
    conflicts: relation === 'conflict' ? [close] : [],
  };
  return insertLinks(tx, tenantId, linksOf(newer.id, { ...sides, neighbours: [] }), now);
};

/**
 * The late text as it stands, while nothing else decides among those who see it; undefined where its writer sees it no more,
 * where it says something else by now, or where it gave way already.
 */
const holdStanding = async (tx: Tx, { memory, now }: LateText): Promise<MemoryRecord | undefined> => {
  const { tenantId, id, revision } = memory;
  const seen = (await readMemories(tx, tenantId, [id])).get(id);
  if (seen?.kind === 'decision') await lockDecisions(tx, tenantId, seen);
  const record = (await readMemories(tx, tenantId, [id])).get(id);
  return record === undefined || record.revision !== revision || hasEnded(record, now) ? undefined : record;
};

const hasEnded = ({ state, supersededAt, expiresAt }: MemoryRecord, now: Date): boolean =>
  state !== 'active' || supersededAt !== null || (expiresAt !== null && expiresAt <= now);

/** What an edit takes the place of, its writer says; and what a person brought back is not put away again. */
const mayRetire = (newer: MemoryRecord, { wasAway }: MemoryToEmbed): boolean =>
  newer.writtenAs !== 'edited' && !wasAway;

/** Those that nobody has noted as a conflict with it: what is noted is for people to decide, or was decided by them. */
const unjudged = async (
  tx: Tx,
  tenantId: TenantId,
  newer: MemoryRecord,
  superseded: readonly CloseMemory[],
): Promise<readonly CloseMemory[]> => {
  const left: CloseMemory[] = [];
  for (const memory of superseded) {
    const noted = await findConflict(tx, tenantId, newer.id, memory.record.id);
    if (noted === null) left.push(memory);
  }
  return left;
};

/** Of two that came in the same moment the smaller id came first. */
const isBefore = (one: NearMemory, { id, textSince }: MemoryRecord): boolean =>
  one.since < textSince || (one.since.getTime() === textSince.getTime() && one.id < id);
