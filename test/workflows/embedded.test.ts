import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMemory } from '../support/memories.js';
import { openEmbeddedDatabase } from '../support/pglite.js';
import {
  joinNeighbours,
  learned,
  makeTeam,
  night,
  type NightWorld,
  noon,
  openNightWorld,
  proveUseful,
} from './support/night-world.js';

describe('a night on the embedded database', () => {
  let world: NightWorld;

  beforeAll(async () => {
    world = await openNightWorld(openEmbeddedDatabase().then((database) => ({ ...database, name: 'postgres' })));
  });

  afterAll(() => world.close());

  it('lends and credits as on a native one', async () => {
    const team = await makeTeam(world);
    const minute = (count: number): Date => new Date(noon(1).getTime() + count * 60_000);
    const draft = { scope: 'project', projectId: team.projectId, kind: 'episode' } as const;
    const similar = await makeMemory(world.database.doors, team.author, { ...draft, endedAt: minute(0) });
    const source = await makeMemory(world.database.doors, team.author, {
      ...draft,
      outcome: 'success',
      startedAt: minute(20),
      endedAt: minute(50),
    });
    await joinNeighbours(world, team.tenantId, similar, source, 0.8);
    await proveUseful(world, team.reader, source, noon(10));

    const report = await night(world, team.owner, '2026-11-10');

    expect(report).toMatchObject({ credited: 1, snapshots: 2, sources: 1, touched: 1 });
    const row = (await learned(world, team.tenantId)).get(similar);
    expect(row?.credit).toBeCloseTo(0.072, 12);
    expect(row).toMatchObject({ lentFrom: source, propagatedOn: '2026-11-10' });
    expect(row?.lent).toBeCloseTo(0.9 * 0.8 * (1 / 3), 12);
  });
});
