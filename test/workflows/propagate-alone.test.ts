import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PropagationPreviewService } from '../../apps/api/src/maintenance/propagation-preview.service.js';
import type { PropagationPreview } from '../../apps/api/src/maintenance/maintenance.types.js';
import type { Caller } from '../../apps/api/src/auth/caller.js';
import { makeMemory } from '../support/memories.js';
import type { Person } from '../support/people.js';
import {
  joinNeighbours,
  learned,
  makeTeam,
  night,
  type NightWorld,
  noon,
  openNightWorld,
  proveUseful,
  type Team,
} from './support/night-world.js';

const DATE = '2026-11-20';

describe('lending without a night', () => {
  let world: NightWorld;
  beforeAll(async () => {
    world = await openNightWorld();
  });
  afterAll(() => world.close());

  const draft = (team: Team): Parameters<typeof makeMemory>[2] => ({
    scope: 'project',
    projectId: team.projectId,
    endedAt: noon(1),
  });
  const preview = (
    { tenantId, userId }: Person,
    now: Date,
    project: string | null = null,
  ): Promise<PropagationPreview> =>
    new PropagationPreviewService(world.database.doors, { now: () => now }).preview(
      { tenantId, userId } as Caller,
      project,
    );

  /** A source with a neighbour and that one's neighbour, and an episode that led to a success. */
  const makeGraph = async (team: Team): Promise<{ near: string; far: string; before: string }> => {
    const { doors } = world.database;
    const [source, near, far] = [
      await makeMemory(doors, team.author, { ...draft(team), kind: 'decision' }),
      await makeMemory(doors, team.author, { ...draft(team), kind: 'decision' }),
      await makeMemory(doors, team.author, { ...draft(team), kind: 'decision' }),
    ];
    await joinNeighbours(world, team.tenantId, near, source, 0.8);
    await joinNeighbours(world, team.tenantId, far, near, 0.9);
    await proveUseful(world, team.reader, source, noon(10));
    const episode = { ...draft(team), kind: 'episode' } as const;
    const before = await makeMemory(doors, team.author, { ...episode, endedAt: new Date(noon(9).getTime() - 600_000) });
    await makeMemory(doors, team.author, { ...episode, outcome: 'success', startedAt: noon(9), endedAt: noon(9) });
    return { near, far, before };
  };

  it('lends as a night does and gives no credit; the dry run foretells it to the figure, and changes nothing', async () => {
    const team = await makeTeam(world);
    const { near, far, before } = await makeGraph(team);
    const untouched = await learned(world, team.tenantId);
    const foretold = await preview(team.reader, noon(20));
    expect(foretold).toMatchObject({ sources: 1, converged: false });
    expect(foretold.touched).toBeGreaterThanOrEqual(2);
    expect(await learned(world, team.tenantId)).toEqual(untouched);

    const report = await night(world, team.owner, DATE, { kind: 'propagate' });

    const { sources, hops, touched, residual, converged } = report;
    expect({ sources, hops, touched, residual, converged }).toEqual(foretold);
    expect(report.credited).toBe(0);
    const rows = await learned(world, team.tenantId);
    expect(rows.get(near)?.lent).toBeGreaterThan(0);
    expect(rows.get(far)?.lent).toBeGreaterThan(0);
    expect(rows.get(before)?.credit).toBe(0);
    // The same day again: nothing is left to do, and the dry run says so.
    expect(await preview(team.reader, noon(20))).toMatchObject({ touched: 0, residual: 0, converged: true });
    expect((await night(world, team.owner, DATE)).credited).toBe(1);
  });

  it('a dry run tells of nothing that its caller does not see', async () => {
    const team = await makeTeam(world);
    await makeGraph(team);
    const own = { scope: 'private', kind: 'decision', endedAt: noon(1) } as const;
    const [mine, like] = [
      await makeMemory(world.database.doors, team.author, own),
      await makeMemory(world.database.doors, team.author, own),
    ];
    await joinNeighbours(world, team.tenantId, mine, like, 0.9);
    await proveUseful(world, team.author, mine, noon(10));
    expect((await preview(team.author, noon(20))).sources).toBe(2);
    expect((await preview(team.reader, noon(20))).sources).toBe(1);
    expect((await preview(team.author, noon(20), 'shared')).sources).toBe(1);
    await expect(preview(team.reader, noon(20), 'nowhere')).rejects.toMatchObject({ kind: 'not-found' });
  });
});
