import { asId, type MemoryId, type TenantId, type UserId } from '@tempera/core';
import {
  countStatus,
  ENCODER_CARDS,
  type EncoderId,
  findCandidates,
  findNear,
  findSameText,
  findSessionMates,
  findUsers,
  groupByStanding,
  type Identity,
  listMemories,
  listProjects,
  readMemories,
  readRelated,
  shownBy,
  type Tx,
} from '@tempera/platform';
import { CROWD_ENCODER } from '../support/crowd.js';

/** Who asks, and what there is to ask about. */
export interface HotWorld {
  readonly asker: Identity;
  readonly memoryIds: readonly string[];
  readonly retrievalId: string;
  readonly question: Float32Array;
}

/** A query that people run all day. */
export interface HotQuery {
  readonly name: string;
  readonly run: (tx: Tx, world: HotWorld) => Promise<unknown>;
}

const tenantOf = ({ asker }: HotWorld): TenantId => asId<TenantId>(asker.tenantId);
const userOf = ({ asker }: HotWorld): UserId => asId<UserId>(asker.userId);
const idsOf = ({ memoryIds }: HotWorld): MemoryId[] => memoryIds.map((id) => asId<MemoryId>(id));

const search = (tx: Tx, world: HotWorld, terms: readonly string[]): Promise<unknown> =>
  findCandidates(tx, {
    tenantId: tenantOf(world),
    question: [{ encoder: CROWD_ENCODER as EncoderId, vector: world.question, tau: 1, likeQuestion: 1 }],
    terms,
    filter: {},
    now: new Date(),
    perLeg: 50,
  });

const near = (tx: Tx, world: HotWorld): Promise<unknown> => {
  const card = ENCODER_CARDS['bge-small-en-v1.5'];
  const embedding = { encoder: CROWD_ENCODER as EncoderId, card, parts: [world.question] };
  const audience = { scope: 'tenant' as const, ownerId: userOf(world), projectId: null, groupId: null };
  return findNear(tx, { tenantId: tenantOf(world), audience, embeddings: [embedding], limit: 10 });
};

/** What people run all day (docs/design.md, attack 1.17, asks for the ten hottest; two more come with them). */
export const hotQueries: readonly HotQuery[] = [
  { name: 'search by meaning and words', run: (tx, world) => search(tx, world, ['word7', 'text']) },
  { name: 'neighbours of a new memory', run: near },
  {
    name: 'the same text',
    run: (tx, world) =>
      findSameText(tx, {
        tenantId: tenantOf(world),
        audience: { scope: 'tenant', ownerId: userOf(world), projectId: null, groupId: null },
        kind: 'decision',
        text: 'text 7',
        now: new Date(),
      }),
  },
  { name: 'memories by id', run: (tx, world) => readMemories(tx, tenantOf(world), idsOf(world)) },
  {
    name: 'a page of memories',
    run: (tx, world) => listMemories(tx, tenantOf(world), { state: 'active' }, { after: null, take: 50 }),
  },
  { name: 'counts for the status', run: (tx, world) => countStatus(tx, tenantOf(world), userOf(world), null) },
  { name: 'utilities for the status', run: (tx, world) => groupByStanding(tx, tenantOf(world), null) },
  {
    name: 'session mates',
    run: (tx, world) => findSessionMates(tx, tenantOf(world), idsOf(world), { perMemory: 3, now: new Date() }),
  },
  { name: 'what a memory is related to', run: (tx, world) => readRelated(tx, tenantOf(world), idsOf(world), 10) },
  {
    name: 'what was shown, for a vote',
    run: (tx, world) => shownBy(tx, tenantOf(world), asId(world.retrievalId), idsOf(world)),
  },
  { name: 'names of authors', run: (tx, world) => findUsers(tx, tenantOf(world), [userOf(world)]) },
  {
    name: 'projects',
    run: (tx, world) => listProjects(tx, tenantOf(world), { archived: false, after: null, take: 50 }),
  },
];
