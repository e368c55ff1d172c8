import { asId, type TenantId } from '@tempera/core';
import {
  type EncoderId,
  findCandidates,
  type Identity,
  type SearchCandidate,
  type SearchFilter,
  type Tx,
} from '@tempera/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CROWD_ENCODER, drawQuestions, fill, makePools } from '../support/crowd.js';
import { fillVotes } from '../support/crowd-votes.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import { hearAll, LIMITS, makeVoteWorld, QUESTION, voteLine } from './vote-world.js';

/** Of the busy project, with 50 votes each. */
const MEMORIES = 1_000;
const EACH = 50;
/** What a search compares at most, of all that the asker may see. */
const BOUND = 20_000;

let database: TestDatabase;
let superuser: pg.Client;
let owner: Person;
let newcomer: Person;
let busy: string;
let quiet: string;
let question: Float32Array;
/** A memory of the quiet project without a word or a vector, found helpful a year ago for the question that is asked. */
let remembered: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ owner } = await makeTenant(database.doors, await makeOperator(database)));
  busy = await makeProject(database.doors, owner, 'busy');
  quiet = await makeProject(database.doors, owner, 'quiet');
  newcomer = await makePerson(database.doors, owner, 'Nora', {});
  await addMember(database.doors, owner, quiet, newcomer.userId);
  superuser = new pg.Client({ connectionString: database.adminUrl });
  await superuser.connect();
  await makePools(superuser);
  await fill(superuser, { tenantId: owner.tenantId, ownerId: owner.userId, count: MEMORIES });
  for (const table of ['memory', 'memory_stat', 'embedding'])
    await superuser.query(`update ${table} set scope = 'project', project_id = $1 where tenant_id = $2`, [
      busy,
      owner.tenantId,
    ]);
  await fillVotes(superuser, { tenantId: owner.tenantId, userId: owner.userId, each: EACH });
  [question = new Float32Array()] = await drawQuestions(superuser, 1);
  const { rows } = await superuser.query<{ id: string }>(
    `with moved as (
       update memory set project_id = $2, keywords = '', keyword_count = 0
       where tenant_id = $1 and id = (select min(id::text)::uuid from memory where tenant_id = $1) returning id
     ), gone as (delete from embedding where memory_id in (select id from moved)
     ), stat as (update memory_stat set project_id = $2 where memory_id in (select id from moved)
     ), votes as (update vote_question set project_id = $2 where memory_id in (select id from moved))
     select id from moved`,
    [owner.tenantId, quiet],
  );
  remembered = rows[0]?.id ?? '';
  await superuser.query(
    `update vote_question set created_at = now() - interval '1 year',
       vector = case when retrieval_id = (select min(retrieval_id::text)::uuid from vote_question where memory_id = $1)
         then $2::text::halfvec else vector end
     where memory_id = $1`,
    [remembered, `[${question.join(',')}]`],
  );
  await superuser.query('vacuum analyze');
}, 300_000);
afterAll(async () => {
  await superuser.end();
  await database.close();
});

interface Searched {
  readonly found: readonly SearchCandidate[];
  /** Rows of vote_question that were read for it. */
  readonly read: number;
  readonly passedThrough: number;
  readonly ms: number;
}

/** Counted since the server last took the session's counts, so only differences tell of one search. */
const countReads = async (tx: Tx): Promise<{ byIndex: number; through: number }> => {
  const [counts] = await tx.$queryRaw<{ byIndex: number; through: number }[]>`
    select idx_tup_fetch::int as "byIndex", seq_tup_read::int as through from pg_stat_xact_user_tables
    where relname = 'vote_question'`;
  return counts ?? { byIndex: Number.NaN, through: Number.NaN };
};

const search = (asker: Identity, filter: SearchFilter = {}): Promise<Searched> =>
  database.doors.asTenant(asker, async (tx) => {
    const before = await countReads(tx);
    const began = performance.now();
    const found = await findCandidates(tx, {
      tenantId: asId<TenantId>(asker.tenantId),
      question: [{ encoder: CROWD_ENCODER as EncoderId, vector: question, tau: 0.6, likeQuestion: 0.9 }],
      terms: ['word7'],
      ...{ filter, now: new Date(), perLeg: 50 },
    });
    const ms = performance.now() - began;
    const after = await countReads(tx);
    return { found, ms, read: after.byIndex - before.byIndex, passedThrough: after.through - before.through };
  });

describe('among 50,000 votes of one tenant, what was helpful for a like question', () => {
  it('is found by reading a bounded number of them, by an index', async () => {
    const runs: Searched[] = [];
    for (let run = 0; run < 8; run += 1) runs.push(await search(owner));
    for (const { found, read, passedThrough } of runs) {
      expect(passedThrough).toBe(0);
      // Those that are compared for candidates, and all of the candidates' own.
      expect(read).toBeLessThanOrEqual(BOUND + found.length * 200);
      expect(read).toBeLessThan((MEMORIES * EACH) / 2);
    }
    const { ms, read, found } = runs[7] as Searched;
    process.stdout.write(
      `like questions: ${read} of ${MEMORIES * EACH} rows for ${found.length} candidates, ${ms.toFixed(0)} ms\n`,
    );
  });

  it('is not lost behind newer ones of a busy project, for who may see them and who may not', async () => {
    for (const asker of [owner, newcomer]) {
      const { found } = await search(asker);
      expect(found.find(({ id }) => id === remembered)?.votes.some(({ isLike }) => isLike)).toBe(true);
    }
    const { found, read } = await search(newcomer);
    expect(found.map(({ id }) => id)).toEqual([remembered]);
    // Nothing hidden is passed over on the way.
    expect(read).toBeLessThanOrEqual(2 * EACH);
  });
});

describe('votes for like questions', () => {
  it('are exactly those that reading every vote finds, for whoever asks, merged memories included', async () => {
    const { owner: head } = await makeTenant(database.doors, await makeOperator(database), 'Small');
    const { people, encoders } = await makeVoteWorld(database, superuser, head);
    const vector = Float32Array.from(QUESTION);
    const compared = { likedAlone: 0, votes: 0 };
    for (const asker of people) {
      const heard = await hearAll(superuser, database, asker);
      const found = await database.doors.asTenant(asker, (tx) =>
        findCandidates(tx, {
          tenantId: asId<TenantId>(asker.tenantId),
          question: encoders.map((encoder) => ({ ...LIMITS, encoder: encoder as EncoderId, vector })),
          terms: [],
          ...{ filter: {}, now: new Date(), perLeg: 1_000 },
        }),
      );
      const withoutVector = found.filter(({ cosines }) => cosines.size === 0).map(({ id }) => id);
      const known = new Set<string>(found.filter(({ cosines }) => cosines.size > 0).map(({ id }) => id));
      expect(withoutVector.sort()).toEqual([...heard.liked].filter((id) => !known.has(id)).sort());
      for (const { id, votes } of found) {
        const lines = votes.map(({ userId, retrievalId, ...vote }) =>
          voteLine({ ...vote, user_id: userId, retrieval_id: retrievalId }),
        );
        expect(lines.sort()).toEqual(heard.votes.get(id) ?? []);
        compared.votes += lines.length;
      }
      compared.likedAlone += withoutVector.length;
    }
    expect(compared.likedAlone).toBeGreaterThan(20);
    expect(compared.votes).toBeGreaterThan(200);
  });
});
