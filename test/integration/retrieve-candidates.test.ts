import { asId, type MemoryId, type RetrievalId, type TenantId, type UserId } from '@tempera/core';
import {
  ENCODER_CARDS,
  type EncoderId,
  findCandidates,
  rememberQuestion,
  type SearchCandidate,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { castVote, makeEmbedding, makeMemory, makeRetrieval } from '../support/memories.js';
import { makeOperator, makePerson, makeTenant, type Person } from '../support/people.js';

const ENCODER = 'test@0' as EncoderId;
const OTHER_ENCODER = 'test@1' as EncoderId;
const card = ENCODER_CARDS['bge-small-en-v1.5'];

let database: TestDatabase;
let author: Person;
let reader: Person;

beforeAll(async () => {
  database = await openTestDatabase();
  author = (await makeTenant(database.doors, await makeOperator(database))).owner;
  reader = await makePerson(database.doors, author, 'Rita');
});
afterAll(() => database.close());

/** A unit vector at an angle to [1, 0, 0]; its cosine with that is the cosine of the angle. */
const at = (degrees: number): number[] => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180), 0];

const memoryAt = async (degrees: number): Promise<string> => {
  const id = await makeMemory(database.doors, author, { scope: 'tenant' });
  await makeEmbedding(database.doors, author, id, at(degrees), ENCODER);
  return id;
};

const search = (perLeg: number, asker: Person = reader): Promise<SearchCandidate[]> =>
  database.doors.asTenant(asker, (tx) =>
    findCandidates(tx, {
      tenantId: asId<TenantId>(asker.tenantId),
      question: [{ encoder: ENCODER, vector: Float32Array.from(at(0)), tau: 0.7, likeQuestion: 0.9 }],
      terms: [],
      filter: {},
      now: new Date(),
      perLeg,
    }),
  );

const voteFor = async (memoryId: string, question: number[], encoder: EncoderId, helpful = true): Promise<void> => {
  const retrievalId = await makeRetrieval(database.doors, reader, [memoryId]);
  await castVote(database.doors, reader, memoryId, helpful, { retrievalId });
  await database.doors.asTenant(reader, (tx) =>
    rememberQuestion(
      tx,
      {
        tenantId: asId<TenantId>(reader.tenantId),
        userId: asId<UserId>(reader.userId),
        memoryId: asId<MemoryId>(memoryId),
        retrievalId: asId<RetrievalId>(retrievalId),
        helpful,
        note: null,
        now: new Date(),
      },
      [{ encoder, card, vector: Float32Array.from(question) }],
    ),
  );
};

describe('the candidates of a question', () => {
  it('are exactly the nearest, with their cosines', async () => {
    const angles = [5, 15, 25, 35, 45, 55];
    const ids: string[] = [];
    for (const angle of angles) ids.push(await memoryAt(angle));
    const found = await search(3);
    expect(found.map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort());
    for (const { id, cosines } of found) {
      const angle = angles[ids.indexOf(id)] ?? 0;
      expect(cosines.get(ENCODER)).toBeCloseTo(Math.cos((angle * Math.PI) / 180), 2);
    }
  });

  it('hold by its best part a memory of several parts', async () => {
    const id = await memoryAt(89);
    await database.doors.asTenant(author, async (tx) => {
      await tx.$executeRaw`insert into embedding (tenant_id, memory_id, encoder, part, content_hash, vector)
        values (${author.tenantId}::uuid, ${id}::uuid, ${ENCODER}, 1, '\\x00', ${`[${at(1).join(',')}]`}::text::halfvec)`;
    });
    const [best] = await search(1);
    expect(best?.id).toBe(id);
    expect(best?.cosines.get(ENCODER)).toBeCloseTo(1, 2);
  });

  it('include what was helpful for a very like question, however far its own text lies', async () => {
    const far = await memoryAt(88);
    expect((await search(1)).map(({ id }) => id)).not.toContain(far);
    await voteFor(far, at(10), ENCODER);
    const found = (await search(1)).find(({ id }) => id === far);
    expect(found?.votes).toEqual([expect.objectContaining({ helpful: true, isLike: true, userId: reader.userId })]);
  });

  it('leave out votes of other encoders, of unlike questions, and do not come by an unhelpful vote', async () => {
    const far = await memoryAt(87);
    await voteFor(far, at(0), OTHER_ENCODER);
    await voteFor(far, at(60), ENCODER);
    await voteFor(far, at(2), ENCODER, false);
    expect((await search(1)).map(({ id }) => id)).not.toContain(far);
  });

  it('carry every question voted on, near-equal ones too: which of them speaks is for the ranking to say', async () => {
    const near = await memoryAt(3);
    for (const angle of [20, 20.5, 21]) await voteFor(near, at(angle), ENCODER);
    await voteFor(near, at(40), ENCODER);
    const found = (await search(50)).find(({ id }) => id === near);
    expect(found?.votes.length).toBe(4);
  });

  it('show nobody a vote on what they may not see', async () => {
    const hidden = await makeMemory(database.doors, author, { scope: 'private' });
    await makeEmbedding(database.doors, author, hidden, at(0), ENCODER);
    expect((await search(200)).map(({ id }) => id)).not.toContain(hidden);
    expect((await search(200, author)).map(({ id }) => id)).toContain(hidden);
  });
});
