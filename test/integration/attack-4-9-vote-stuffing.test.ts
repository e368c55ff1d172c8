import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { type GraphQLClient, invite } from '../support/graphql-client.js';
import { oneDayClock } from '../support/one-day-clock.js';
import { capture, feedback, type HitView, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

/** Topics with two memories of the same words, so that nothing but votes tells them apart. */
const TOPICS = [
  ['the staging cache', 'Flush the staging cache with the redis script before a demo.'],
  ['the invoice export', 'The invoice export runs at four and writes to the finance bucket.'],
] as const;

/** One question in ten wordings, all of which ask the same. */
const OPENINGS = [
  'How do we handle',
  'What should I know about',
  'Tell me about',
  'Any advice on',
  'How does one treat',
];
const ENDINGS = ['', ' again'];
const wordings = (subject: string): string[] =>
  OPENINGS.flatMap((opening) => ENDINGS.map((ending) => `${opening} ${subject}${ending}?`));

/** What was praised a minute later has faded that much less. */
const FADING_OF_A_TEST = 1e-4;

interface Pair {
  readonly question: string;
  readonly rewordings: readonly string[];
  readonly honest: string;
  readonly stuffed: string;
}

let world: MemoryWorld;
/** Ten people: owner, Ada and seven more work honestly or look on, the tenth does not. */
let people: GraphQLClient[];
let mallory: GraphQLClient;

beforeAll(async () => {
  world = await openMemoryWorld({ now: oneDayClock() });
  people = [world.owner, world.ada, world.ben];
  for (const displayName of ['Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida']) {
    people.push(await invite(world.owner, { displayName, project: 'shop', projectRole: 'CONTRIBUTOR' }));
  }
  mallory = await invite(world.owner, { displayName: 'Mallory', project: 'shop', projectRole: 'CONTRIBUTOR' });
});
afterAll(() => world.close());

const person = (place: number): GraphQLClient => people[place] as GraphQLClient;

const makePair = async ([subject, text]: readonly [string, string], author: GraphQLClient): Promise<Pair> => {
  const write = async (by: GraphQLClient): Promise<string> =>
    (await capture(by, { text, project: 'shop', merge: 'NEVER' })).memory.id;
  const [question = '', ...rewordings] = wordings(subject);
  return { question, rewordings, honest: await write(world.ada), stuffed: await write(author) };
};

const ask = async (by: GraphQLClient, question: string): Promise<{ retrievalId: string; hits: HitView[] }> =>
  retrieve(by, question, { limit: 50, kind: 'INJECTED' });

interface Ballot {
  readonly memoryIds: readonly string[];
  readonly helpful: boolean;
  readonly retrievalId: string;
}

const vote = async (by: GraphQLClient, question: string, id: string, helpful: boolean): Promise<Ballot> => {
  const { retrievalId } = await ask(by, question);
  const ballot = { memoryIds: [id], helpful, retrievalId };
  expect((await feedback(by, ballot)).recorded).toEqual([id]);
  return ballot;
};

const scoreOf = (hits: readonly HitView[], id: string): number => {
  const hit = hits.find(({ memory }) => memory.id === id);
  if (hit === undefined) throw new Error('not found');
  return hit.score;
};

const honestVotes = async ({ question, honest }: Pair): Promise<void> => {
  for (const place of [2, 3, 4]) await vote(person(place), question, honest, true);
};

describe('attack 4.9: one of ten people stuffs votes', () => {
  it('and lifts nothing above an equally relevant memory with three honest votes', async () => {
    let cast = 0;
    let [questions, lifted, rewordedAbove] = [0, 0, 0];
    for (const topic of TOPICS) {
      const pair = await makePair(topic, world.ada);
      await honestVotes(pair);
      for (const question of [pair.question, ...pair.rewordings]) {
        await vote(mallory, question, pair.stuffed, true);
        cast += 1;
      }
      const { hits } = await ask(person(5), pair.question);
      questions += 1;
      if (scoreOf(hits, pair.stuffed) >= scoreOf(hits, pair.honest)) lifted += 1;
      for (const question of pair.rewordings) {
        const answer = await ask(person(6), question);
        if (scoreOf(answer.hits, pair.stuffed) > scoreOf(answer.hits, pair.honest)) rewordedAbove += 1;
      }
    }
    const reworded = `one person; above for ${rewordedAbove} of ${questions * 9} reworded questions`;
    reportAttack('4.9', cast, { lifted }, reworded);
    expect(lifted).toBe(0);
  });

  it('nor by voting on their own memory', async () => {
    const pair = await makePair(['the print server', 'Restart the print server from the admin page.'], mallory);
    await honestVotes(pair);
    for (const question of pair.rewordings.slice(0, 5)) await vote(mallory, question, pair.stuffed, true);
    const { hits } = await ask(person(5), pair.question);
    expect(scoreOf(hits, pair.stuffed)).toBeLessThan(scoreOf(hits, pair.honest));
    const stuffed = hits.find(({ memory }) => memory.id === pair.stuffed);
    expect(stuffed?.explanation).toMatchObject({ context: 0 });
    expect(stuffed?.explanation.utility.evidence).toBeCloseTo(1.5 / 2.5, 9);
  });

  it('nor by changing sides all day: the last word counts once', async () => {
    const pair = await makePair(['the coffee budget', 'The coffee budget is booked on cost centre nine.'], world.ada);
    for (const [nth, question] of pair.rewordings.slice(0, 5).entries()) {
      await vote(mallory, question, pair.stuffed, nth % 2 === 0);
    }
    const { hits } = await ask(person(5), pair.question);
    const evidence = hits.find(({ memory }) => memory.id === pair.stuffed)?.explanation.utility.evidence;
    expect(evidence).toBeCloseTo(2 / 3, 9);
  });

  it('nor with ten thousand votes, on one day or on forty', async () => {
    const pair = await makePair(['the badge reader', 'The badge reader needs a new battery every May.'], world.ada);
    await honestVotes(pair);
    const userId = await idOf(mallory);
    await stuff(pair.stuffed, userId, 10_000);
    const gains = async (): Promise<{ evidence: number; stuffed: number; honest: number }> => {
      const { hits } = await ask(person(5), 'Which battery?');
      const of = (id: string): HitView['explanation'] | undefined =>
        hits.find(({ memory }) => memory.id === id)?.explanation;
      const [stuffed, honest] = [of(pair.stuffed), of(pair.honest)];
      return { evidence: stuffed?.utility.evidence ?? 0, stuffed: stuffed?.gain ?? 1, honest: honest?.gain ?? 0 };
    };
    const oneDay = await gains();
    expect(oneDay.evidence).toBeCloseTo(2 / 3, 9);
    expect(oneDay.stuffed).toBeLessThan(oneDay.honest);
    await spread(pair.stuffed, userId, 40);
    const fortyDays = await gains();
    expect(fortyDays.evidence).toBeCloseTo(4 / 5, 9);
    expect(fortyDays.stuffed).toBeLessThanOrEqual(fortyDays.honest + FADING_OF_A_TEST);
  });

  it('while three who collude count as the three they are, and taking their votes back restores every place', async () => {
    const pair = await makePair(['the loading dock', 'The loading dock closes at six on Fridays.'], world.ada);
    await honestVotes(pair);
    const standing = async (): Promise<(readonly [string, number])[]> => {
      const { hits } = await ask(person(5), pair.question);
      return hits.map(({ memory, score }) => [memory.id, score] as const);
    };
    const before = await standing();
    const colluders = [mallory, person(7), person(8)];
    const ballots: (readonly [GraphQLClient, Ballot])[] = [];
    for (const colluder of colluders) {
      for (const question of [pair.question, ...pair.rewordings.slice(0, 4)]) {
        ballots.push([colluder, await vote(colluder, question, pair.stuffed, true)]);
      }
    }
    const { hits } = await ask(person(5), pair.question);
    const [stuffed, honest] = [scoreOf(hits, pair.stuffed), scoreOf(hits, pair.honest)];
    const scores = `three of ten collude: ${stuffed.toFixed(4)} beside ${honest.toFixed(4)} of three honest votes`;
    reportAttack('4.9', ballots.length, { lifted: stuffed > honest * 1.0001 ? 1 : 0 }, scores);
    expect(stuffed).toBeLessThanOrEqual(honest * 1.0001);
    for (const [colluder, ballot] of ballots) await feedback(colluder, { ...ballot, withdraw: true });
    const after = await standing();
    expect(after.map(([id]) => id)).toEqual(before.map(([id]) => id));
    for (const [place, [, score]] of after.entries()) expect(score).toBeCloseTo(before[place]?.[1] ?? -1, 6);
  });
});

const idOf = async (someone: GraphQLClient): Promise<string> => {
  const payload = (await someone.token())?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub;
};

/** Votes written past the API, as many as a person with a script would cast in weeks; all of today. */
const stuff = (memoryId: string, userId: string, votes: number): Promise<void> =>
  asSuperuser(world.api.database.adminUrl, async (client) => {
    await client.query(
      `with made as (
        insert into retrieval (tenant_id, user_id, kind)
        select u.tenant_id, u.id, 'injected' from app_user u, generate_series(1, $2::int) where u.id = $1
        returning tenant_id, id
      )
      insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
      select tenant_id, id, $3, 1, 1, 1 from made`,
      [userId, votes, memoryId],
    );
    await client.query(
      `insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision)
      select r.tenant_id, r.user_id, r.id, $1, true, 1 from retrieval r
      join retrieval_hit h on h.tenant_id = r.tenant_id and h.retrieval_id = r.id
      where h.memory_id = $1 and r.user_id = $2 and r.question is null`,
      [memoryId, userId],
    );
  });

/** The same votes, as if they had been given over so many days. */
const spread = (memoryId: string, userId: string, days: number): Promise<void> =>
  asSuperuser(world.api.database.adminUrl, async (client) => {
    await client.query(
      `update vote set created_at = created_at - abs(hashtext(retrieval_id::text)) % $3::int * interval '1 day'
      where memory_id = $1 and user_id = $2`,
      [memoryId, userId, days],
    );
  });
