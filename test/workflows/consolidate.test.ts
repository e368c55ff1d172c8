import { type Identity, listChanges } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../apps/api/src/auth/caller.js';
import { undoRun } from '../../apps/api/src/upkeep/undo-run.js';
import { asSuperuser } from '../support/cluster.js';
import { makeMemory } from '../support/memories.js';
import { makeTeam, night, type NightWorld, noon, openNightWorld, type Team } from './support/night-world.js';

const DATE = '2026-11-20';
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
  const run = (team: Team, isDry = false): ReturnType<typeof night> =>
    night(world, team.owner, DATE, { kind: 'consolidate', isDry, pageSize: 3 });

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
