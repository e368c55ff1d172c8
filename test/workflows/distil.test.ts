import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { keepTurn } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDistilSignaller, deliverOutbox, type ReconcileTools } from '../../apps/worker/src/index.js';
import { asSuperuser } from '../support/cluster.js';
import type { Person } from '../support/people.js';
import { makeTeam, makeWorker, type NightWorld, openNightWorld, type Team } from './support/night-world.js';
import { testLogger } from './support/engine.js';

const DOCKER = 'We decided to use Docker for the integration databases.';

let world: NightWorld;
let team: Team;
let prompts = 0;
beforeAll(async () => {
  world = await openNightWorld();
  team = await makeTeam(world);
});
afterAll(() => world.close());

const idsOf = ({ tenantId, userId }: Person) => ({ tenantId: asId<TenantId>(tenantId), userId: asId<UserId>(userId) });
const say = async (who: Person, sessionKey: string, prompt: string, answer = '', at = new Date()): Promise<string> => {
  const turn = {
    ...idsOf(who),
    projectId: null,
    sessionKey,
    promptKey: `p${(prompts += 1)}`,
    branch: null,
  };
  const { conversationId } = await world.database.doors.asTenant(who, (tx) =>
    keepTurn(tx, { ...turn, prompt, answer, at, tools: [], client: 'test', isBackfill: false, now: new Date() }),
  );
  return conversationId;
};
const query = async <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await asSuperuser(world.database.adminUrl, (client) => client.query<Row>(sql, [...values]))).rows;
const factsOf = (id: string): Promise<{ kind: string; content: string; status: string; reason: string | null }[]> =>
  query(
    'select kind, content, status, reason from distilled_fact where conversation_id = $1 order by details ->> $2, content',
    [id, 'at'],
  );
const placeOf = async (id: string): Promise<{ turns: number; distilled: number; summary: string | null } | undefined> =>
  (
    await query<{ turns: number; distilled: number; summary: string | null }>(
      'select turns, distilled_turns as distilled, summary from conversation where id = $1',
      [id],
    )
  )[0];
const askNow = (who: Person, id: string): Promise<unknown> =>
  world.database.doors.asTenant(who, (tx) =>
    tx.outbox.createMany({ data: { tenantId: who.tenantId, kind: 'distil.now', subjectId: id } }),
  );
const setQuiet = (minutes: number): Promise<unknown> =>
  query(
    `insert into setting (tenant_id, key, value, updated_by) values ($1, 'storage.distil_quiet_minutes', to_jsonb($2::int), $3)
     on conflict do nothing`,
    [team.tenantId, minutes, team.owner.userId],
  );

/** Delivers what waits and works until the conversations are through. */
const work = async (ids: readonly string[], isThrough = true): Promise<void> => {
  const taskQueue = randomUUID();
  const { client } = world.engine;
  const signalDistil = createDistilSignaller(client, taskQueue);
  const tools = {
    doors: world.database.doors,
    signalDistil,
    logger: testLogger,
    now: () => new Date(),
  } as unknown as ReconcileTools;
  const worker = await makeWorker(world, { taskQueue });
  await worker.runUntil(async () => {
    while ((await deliverOutbox(tools)) > 0);
    for (const id of ids) {
      const handle = client.workflow.getHandle(`distil:${id}`);
      if (isThrough) await handle.result();
      else {
        while (
          (await handle.fetchHistory()).events?.some(({ timerStartedEventAttributes: timer }) => Boolean(timer)) !==
          true
        )
          await wait(20);
        await handle.terminate('the test has seen enough');
      }
    }
  });
};

describe('a conversation', () => {
  it('waits until it is quiet, and is distilled at once for its owner: what is new of it, once, however often', async () => {
    const id = await say(team.author, 'one', DOCKER);
    await work([id], false);
    expect(await factsOf(id)).toEqual([]);
    await askNow(team.author, id);
    await work([id]);
    const [fact] = await factsOf(id);
    expect(fact).toEqual({ kind: 'decision', content: DOCKER, status: 'pending', reason: null });
    expect(await placeOf(id)).toEqual({ turns: 1, distilled: 1, summary: `Decided: ${DOCKER}` });
    expect(await query(`select 1 from outbox where kind = 'distilled' and subject_id = $1`, [id])).toHaveLength(1);
    await askNow(team.author, id);
    await work([id]);
    expect(await factsOf(id)).toHaveLength(1);
    await say(
      team.author,
      'one',
      'How should we store sessions?',
      'I suggest a Postgres table with a partial index on expiry.',
    );
    await askNow(team.author, id);
    await work([id]);
    expect((await factsOf(id)).map(({ reason }) => reason)).toContain('undecided');
    await say(team.author, 'one', 'yes, do it. Always run the linter before you commit to this repository.');
    await askNow(team.author, id);
    await work([id]);
    const kept = (await factsOf(id)).filter(({ status }) => status === 'pending').map(({ kind }) => kind);
    expect(kept.sort()).toEqual(['decision', 'decision', 'preference']);
  });

  it('is read in its owner’s name, also what came late or is of a month ago, and what is over or a secret is refused', async () => {
    await setQuiet(0);
    const month = new Date(Date.now() - 30 * 86_400_000);
    const id = await say(
      team.reader,
      'two',
      'The release branch must stay frozen until tomorrow for the auditors.',
      '',
      month,
    );
    await say(team.reader, 'two', 'Always use the token [REDACTED:github-pat] for the nightly deployment job.');
    await work([id]);
    expect((await factsOf(id)).map(({ reason }) => reason).sort()).toEqual(['bears-secret', 'expired']);
    await say(team.reader, 'two', DOCKER, '', new Date(month.getTime() - 1_000));
    await work([id]);
    expect((await factsOf(id)).filter(({ status }) => status === 'pending').map(({ content }) => content)).toEqual([
      DOCKER,
    ]);
    const others = await world.database.doors.asTenant(team.owner, (tx) => tx.distilledFact.findMany());
    expect(others).toEqual([]);
    await query('delete from conversation where id = $1', [id]);
    await query(`insert into outbox (tenant_id, kind, subject_id) values ($1, 'distil', $2)`, [team.tenantId, id]);
    await work([id]);
  });
});
