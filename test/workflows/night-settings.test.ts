import { asId, type SettingKey } from '@tempera/core';
import { writeSetting } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Each key that a night reads, with a value that must make this night end in another way. */
const CHANGES: [SettingKey, number][] = [
  ['bellman.gamma', 0.5],
  ['bellman.alpha', 0.5],
  ['bellman.decay_rate', 0.2],
  ['bellman.propagation_threshold', 0.9],
  ['bellman.max_propagation_depth', 1],
  ['bellman.temporal_credit_window_hours', 0],
  ['storage.min_retrievals', 9],
];

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const minute = (count: number): Date => new Date(noon(1).getTime() + count * 60_000);

describe('a night with other settings', () => {
  let world: NightWorld;

  beforeAll(async () => {
    world = await openNightWorld();
  });
  afterAll(() => world.close());

  /** Two nights over the same short history, under a changed setting of the tenant. */
  const nights = async (change: [SettingKey, number] | null): Promise<unknown> => {
    const team = await makeTeam(world);
    const { doors } = world.database;
    const { tenantId, projectId, author, owner } = team;
    await doors.asTenant(author, (tx) =>
      tx.memory.createMany({
        data: [0, 1, 2, 3, 4].map((number) => ({
          tenantId,
          ownerId: author.userId,
          projectId,
          scope: 'project',
          kind: 'episode',
          title: 't',
          text: 't',
          id: idOf(number),
          outcome: number === 4 ? 'success' : 'failure',
          validFrom: minute(number * 10),
          startedAt: minute(number * 10 - 5),
          endedAt: minute(number * 10),
        })),
      }),
    );
    for (const number of [1, 2, 3]) await joinNeighbours(world, tenantId, idOf(number), idOf(number - 1), 0.8);
    await proveUseful(world, team.reader, idOf(0), noon(10));
    if (change !== null) {
      const [key, value] = change;
      await doors.asTenant(owner, (tx) =>
        writeSetting(tx, asId(tenantId), { key, projectId: null, value, by: asId(owner.userId), at: new Date() }),
      );
    }
    await night(world, owner, '2026-11-12');
    // A second vote strengthens the source; alpha is how far what stands follows it.
    await proveUseful(world, team.owner, idOf(0), noon(12));
    await night(world, owner, '2026-11-13');
    return [...(await learned(world, tenantId)).values()].map(({ id, credit, propagated, lent }) => ({
      id,
      credit,
      propagated,
      lent,
    }));
  };

  it('ends otherwise, for every key that nights read, and alike where nothing was changed', async () => {
    const plain = await nights(null);
    expect(await nights(null)).toEqual(plain);
    for (const change of CHANGES) expect({ change, end: await nights(change) }).not.toEqual({ change, end: plain });
  }, 120_000);
});
