import { type Doors, type Identity, listChanges } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../apps/api/src/auth/caller.js';
import { undoRun } from '../../apps/api/src/upkeep/undo-run.js';
import type { Undone } from '../../apps/api/src/upkeep/upkeep.types.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import { makeTeam, night, type NightWorld, noon, openNightWorld, type Team } from './support/night-world.js';

const DATE = '2026-11-20';
const PAIRS = 6;
const SAYING = 'The storefront images are resized by the worker.';

describe('consolidation by night', () => {
  let world: NightWorld;
  beforeAll(async () => {
    world = await openNightWorld();
  });
  afterAll(() => world.close());

  const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    asSuperuser(world.database.adminUrl, async (client) => (await client.query(text, values)).rows as T[]);
  const say = (team: Team, by: Identity, text: string, day: number, more: object = {}): Promise<string> =>
    makeMemory(world.database.doors, by, {
      ...{ scope: 'project', projectId: team.projectId, kind: 'background', text, endedAt: noon(day), ...more },
    });
  /** As the encoder would find them: in one direction, and linked. */
  const bringTogether = async (tenantId: string): Promise<void> => {
    await sql(
      `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
       select tenant_id, id, 'bge-small-en-v1.5@test', '\\x00', '[1,0,0]', scope, owner_id from memory where tenant_id = $1`,
      [tenantId],
    );
    await sql(
      `insert into link (tenant_id, from_id, to_id, kind, weight) select a.tenant_id, a.id, b.id, 'neighbour', 1
       from memory a join memory b on b.tenant_id = a.tenant_id and b.id <> a.id where a.tenant_id = $1`,
      [tenantId],
    );
  };
  const rowOf = async (id: string): Promise<{ state: string; into: string | null; tags: string[] } | undefined> =>
    (
      await sql<{ state: string; into: string | null; tags: string[] }>(
        'select state, merged_into as into, tags from memory where id = $1',
        [id],
      )
    )[0];
  const run = (team: Team, isDry = false, doors: Partial<Doors> = {}): ReturnType<typeof night> =>
    night(world, team.owner, DATE, { kind: 'consolidate', isDry, pageSize: 3, doors });
  /** Each said twice, near to nothing but itself, some of them with both on one page. */
  const sayInPairs = async (team: Team): Promise<void> => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const text = `Warehouse ${pair} ships what was ordered by noon.`;
      const ids = [await say(team, team.author, text, 1), await say(team, team.author, text, 2)];
      for (const [time, id] of ids.entries()) {
        await sql('update memory set tags = $2 where id = $1', [id, [`told-${time}`]]);
        const vector = JSON.stringify(Array.from({ length: PAIRS }, (_, at) => (at === pair ? 1 : 0)));
        await sql(
          `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id)
           select tenant_id, id, 'bge-small-en-v1.5@test', '\\x00', $2::vector, scope, owner_id from memory where id = $1`,
          [id, vector],
        );
        await sql(`insert into link (tenant_id, from_id, to_id, kind, weight) values ($1, $2, $3, 'neighbour', 1)`, [
          team.tenantId,
          id,
          ids[1 - time],
        ]);
      }
    }
  };
  /** What became of each pair, in words that are the same in every tenant. */
  const outcomesOf = ({ tenantId }: Team): Promise<object[]> =>
    sql(
      `select m.title, m.state, m.tags, s.title as into_title,
         (select array_agg(e.action order by e.action) from upkeep_effect e
           where e.tenant_id = m.tenant_id and e.memory_id = m.id) as effects,
         (select count(*)::int from maintenance_change c where c.tenant_id = m.tenant_id and c.memory_id = m.id) as changes
       from memory m left join memory s on s.tenant_id = m.tenant_id and s.id = m.merged_into
       where m.tenant_id = $1 order by m.title, m.state`,
      [tenantId],
    );

  it('merges what one author says twice, keeps apart what differs, is of others or private, proposes what several say; a dry run tells the same', async () => {
    const team = await makeTeam(world);
    const { author, reader, tenantId } = team;
    const older = await say(team, author, SAYING, 1);
    const newer = await say(team, author, SAYING, 3);
    const others = await say(team, reader, SAYING, 2);
    const apart = await say(team, author, 'The storefront images are not resized by the worker.', 2);
    const own = await say(team, author, SAYING, 2, { scope: 'private', projectId: null });
    for (const [id, tag] of [
      [older, 'images'],
      [newer, 'worker'],
    ]) {
      await sql('update memory set tags = $2 where id = $1', [id, [tag]]);
    }
    await bringTogether(tenantId);
    const whole = await sql('select id, state, tags from memory where tenant_id = $1 order by id', [tenantId]);

    const foretold = await run(team, true);
    expect(foretold).toMatchObject({ merged: 1, proposed: 1 });
    expect(foretold.guarded).toBeGreaterThan(0);
    expect(await sql('select id, state, tags from memory where tenant_id = $1 order by id', [tenantId])).toEqual(whole);
    expect(await run(team)).toMatchObject({ merged: 1, proposed: foretold.proposed, guarded: foretold.guarded });

    expect(await rowOf(older)).toMatchObject({ state: 'archived', into: newer });
    expect((await rowOf(newer))?.tags.sort()).toEqual(['images', 'worker']);
    for (const id of [newer, others, apart, own]) expect(await rowOf(id)).toMatchObject({ state: 'active' });
    const [last] = await sql<{ id: string }>(
      'select id from maintenance_run where tenant_id = $1 order by requested_at desc limit 1',
      [tenantId],
    );
    const changes = await world.database.doors.asTenant(team.owner, (tx) =>
      listChanges(tx, tenantId, last?.id ?? '', { limit: 100, after: null }),
    );
    expect(changes.find(({ memoryId }) => memoryId === older)).toMatchObject({ action: 'merged', intoId: newer });
    expect(await run(team)).toMatchObject({ merged: 0 });

    // As a merge by hand is undone: by who maintains the project, to what was there.
    const [undoable] = await sql<{ id: string }>(
      `select id from upkeep_run where tenant_id = $1 and kind = 'consolidate'
      and exists (select from upkeep_effect e where e.run_id = upkeep_run.id)`,
      [tenantId],
    );
    const caller = team.owner as unknown as Caller;
    const undone = await world.database.doors.asTenant(team.owner, (tx) =>
      undoRun(tx, caller, undoable?.id ?? '', new Date()),
    );
    expect(undone.restoredIds).toEqual([older]);
    expect(await sql('select id, state, tags from memory where tenant_id = $1 order by id', [tenantId])).toEqual(whole);
  });

  it('merges each memory once though pages die after their work and are done again; what is undone by two at once comes back once', async () => {
    const [calm, troubled] = [await makeTeam(world), await makeTeam(world)];
    for (const team of [calm, troubled]) await sayInPairs(team);
    const report = await run(calm);
    expect(report).toMatchObject({ merged: PAIRS });
    const before = await sql('select id, state, tags from memory where tenant_id = $1 order by id', [
      troubled.tenantId,
    ]);

    // In the first page before it is kept, after others: then the page is there already when it is asked for again.
    let pages = 0;
    const dying = new Set([1, 2, 3]);
    const dies = (count: number): boolean => count > pages && dying.delete(count);
    const doors: Pick<Doors, 'asWorker' | 'asText'> = {
      asText: world.database.doors.asText,
      asWorker: async (tenantId, work) => {
        const [result, count] = await world.database.doors.asWorker(tenantId, async (tx) => {
          const done = await work(tx);
          const [row] = await tx.$queryRaw<{ pages: number }[]>`
            select count(*)::int as pages from maintenance_step where tenant_id = ${tenantId}::uuid and step = 'consolidate'`;
          const written = row?.pages ?? 0;
          if (written === 1 && dies(written)) throw new Error('the power went out');
          return [done, written] as const;
        });
        if (dies(count)) throw new Error('the power went out');
        pages = count;
        return result;
      },
    };
    expect(await run(troubled, false, doors)).toEqual(report);
    expect(dying.size).toBe(0);
    expect(await outcomesOf(troubled)).toEqual(await outcomesOf(calm));

    const [undoable, another] = await sql<{ id: string }>('select id from upkeep_run where tenant_id = $1', [
      troubled.tenantId,
    ]);
    expect(another).toBeUndefined();
    const caller = troubled.owner as unknown as Caller;
    const undo = (): Promise<Undone> =>
      world.database.doors.asTenant(troubled.owner, (tx) => undoRun(tx, caller, undoable?.id ?? '', new Date()));
    const undone = await Promise.all([undo(), undo()]);
    expect(undone.map(({ restoredIds }) => restoredIds.length).sort()).toEqual([0, PAIRS]);
    expect((await undo()).restoredIds).toEqual([]);
    expect(
      await sql('select id, state, tags from memory where tenant_id = $1 order by id', [troubled.tenantId]),
    ).toEqual(before);
  });

  it('the worker merges by machine nothing that a machine may not: other authors, audiences, revisions, words of nobody', async () => {
    const team = await makeTeam(world);
    const { author, reader, tenantId, projectId } = team;
    const one = await say(team, author, SAYING, 1);
    const wrong = {
      author: await say(team, reader, SAYING, 1),
      audience: await say(team, author, SAYING, 1, { scope: 'private', projectId: null }),
      revision: await say(team, author, SAYING, 1),
    };
    const merged = (other: string, revision: number, tags: string[]): Promise<string[]> =>
      world.database.doors.asWorker(tenantId, async (tx) => {
        const [night_] = await tx.$queryRaw<{ id: string }[]>`
          insert into maintenance_run (tenant_id, id, kind, run_date, status) values (${tenantId}::uuid, gen_random_uuid(),
            'consolidate', current_date, 'completed') returning id`;
        const [undo] = await tx.$queryRaw<{ id: string }[]>`
          insert into upkeep_run (tenant_id, kind, project_id, maintenance_run_id)
          values (${tenantId}::uuid, 'consolidate', ${projectId}::uuid, ${night_?.id}::uuid) returning id`;
        const said = {
          ...{
            tags,
            filesModified: [],
            errorsResolved: [],
            alternatives: [],
            validity: 'none',
            verification: 'untested',
          },
          ...{ taskType: null, outcome: null, pinned: false, expiresAt: null, keywords: '', keywordCount: 0 },
        };
        const revisions = [
          { id: one, revision: 1 },
          { id: other, revision },
        ];
        const steps = JSON.stringify([{ survivorId: one, revisions, before: said, said }]);
        const [row] = await tx.$queryRaw<{ done: string[] }[]>`
          select merge_memories(${undo?.id}::uuid, ${steps}::jsonb) as done`;
        return row?.done ?? [];
      });
    expect(await merged(wrong.author, 1, [])).toEqual([]);
    expect(await merged(wrong.audience, 1, [])).toEqual([]);
    expect(await merged(wrong.revision, 2, [])).toEqual([]);
    expect(await merged(wrong.revision, 1, ['planted'])).toEqual([]);
    expect(await merged(wrong.revision, 1, [])).toEqual([one]);
  });
});
