import type pg from 'pg';

/** One vote of a made history. */
export interface MadeVote {
  readonly memoryId: string;
  readonly helpful: boolean;
  readonly at: Date;
  readonly place: number;
}

/** One answer of a made history. */
export interface MadeAnswer {
  readonly id: string;
  readonly kind: 'asked' | 'injected';
  readonly at: Date;
  readonly shown: readonly string[];
  votes: MadeVote[];
}

const DAY_MS = 86_400_000;

/** Numbers in [0, 1) that are the same in every run. */
export const drawing = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const write = async (client: pg.Client, tenantId: string, userId: string, answer: MadeAnswer): Promise<void> => {
  await client.query(
    'insert into retrieval (tenant_id, id, user_id, kind, question, created_at) values ($1, $2, $3, $4, $5, $6)',
    [tenantId, answer.id, userId, answer.kind, 'q', answer.at],
  );
  await client.query(
    `insert into retrieval_hit (tenant_id, retrieval_id, memory_id, place, relevance, score)
     select $1, $2, id, place, 1, 1 from unnest($3::uuid[]) with ordinality h (id, place)`,
    [tenantId, answer.id, answer.shown],
  );
  for (const { memoryId, helpful, at } of answer.votes) {
    await client.query(
      `insert into vote (tenant_id, user_id, retrieval_id, memory_id, helpful, revision, created_at)
       values ($1, $2, $3, $4, $5, 1, $6)`,
      [tenantId, userId, answer.id, memoryId, helpful, at],
    );
  }
};

const key = `tenant_id = $1 and user_id = $2 and retrieval_id = $3 and memory_id = $4`;

/** Some votes are given the other way, later; some are taken back. */
const changeMind = async (
  client: pg.Client,
  tenantId: string,
  userId: string,
  answer: MadeAnswer,
  draw: () => number,
): Promise<void> => {
  const kept: MadeVote[] = [];
  for (const vote of answer.votes) {
    const change = draw();
    const which = [tenantId, userId, answer.id, vote.memoryId];
    if (change < 0.15) {
      await client.query(`delete from vote where ${key}`, which);
    } else if (change < 0.4) {
      const changed = { ...vote, helpful: !vote.helpful, at: new Date(vote.at.getTime() + draw() * 9 * DAY_MS) };
      await client.query(`update vote set helpful = $5, created_at = $6 where ${key}`, [
        ...which,
        changed.helpful,
        changed.at,
      ]);
      kept.push(changed);
    } else kept.push(vote);
  }
  answer.votes = kept;
};

/** A year of a person who asks and votes at random on what they see, written to the database as it would have come. */
export const makeHistory = async (
  client: pg.Client,
  who: { tenantId: string; userId: string; sees: readonly string[] },
  { until, count, draw, newId }: { until: Date; count: number; draw: () => number; newId: () => string },
): Promise<MadeAnswer[]> => {
  const answers: MadeAnswer[] = [];
  for (let number = 0; number < count; number += 1) {
    const at = new Date(until.getTime() - (1 + draw() * 300) * DAY_MS);
    const order = who.sees.map((id) => ({ id, by: draw() })).sort((one, other) => one.by - other.by);
    const shown = order.slice(0, 1 + Math.floor(draw() * order.length)).map(({ id }) => id);
    const votes = shown.flatMap((memoryId, index) =>
      draw() < 0.3
        ? [{ memoryId, helpful: draw() < 0.6, at: new Date(at.getTime() + draw() * 9 * DAY_MS), place: index + 1 }]
        : [],
    );
    const answer: MadeAnswer = { id: newId(), kind: draw() < 0.8 ? 'asked' : 'injected', at, shown, votes };
    await write(client, who.tenantId, who.userId, answer);
    await changeMind(client, who.tenantId, who.userId, answer, draw);
    answers.push(answer);
  }
  return answers;
};
