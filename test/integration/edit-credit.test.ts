import { randomUUID } from 'node:crypto';
import { resolveSettings } from '@tempera/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditStep } from '../../apps/worker/src/nightly/credit-step.js';
import { asSuperuser } from '../support/cluster.js';
import { change, edit, type EditWorld, FORGET, openEditWorld, RESTORE } from './edit-world.js';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const creditOf = (id: string): Promise<number> =>
  asSuperuser(world.api.database.adminUrl, async (client) => {
    const { rows } = await client.query<{ credit: number }>('select credit from memory_stat where memory_id = $1', [
      id,
    ]);
    return rows[0]?.credit ?? Number.NaN;
  });

/** The credit step of one night. */
const night = async (): Promise<void> => {
  const { me } = await world.ada.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }');
  const page = { tenantId: me.tenant.id, runId: randomUUID(), runDate: '2026-11-30' };
  const span = { after: null, limit: 500, without: [] };
  const work = await creditStep(resolveSettings()).prepare(span);
  await world.api.database.doors.asWorker(page.tenantId, (tx) => work(tx, page, span));
};

describe('credit, after an edit', () => {
  it('is withdrawn in the next night when an outcome is no success any more, and given when it is again', async () => {
    const session = { sessionKey: randomUUID(), occurredAt: '2026-11-01T10:00:00Z' };
    const earlier = await world.shared({ ...session, text: 'Looked for the leak in the cellar.' });
    const later = { ...session, occurredAt: '2026-11-01T10:30:00Z', outcome: 'SUCCESS' };
    const { id } = await world.shared({ ...later, text: 'Found the leak behind the boiler.' });
    const credits: number[] = [];
    const afterNight = async (): Promise<void> => {
      await night();
      credits.push(await creditOf(earlier.id));
    };
    await afterNight();
    await edit(world.ada, id, 1, { outcome: 'FAILURE' });
    await afterNight();
    await edit(world.ada, id, 2, { outcome: 'SUCCESS' });
    await afterNight();
    await edit(world.ada, id, 3, { kind: 'BACKGROUND' });
    await afterNight();
    await edit(world.ada, id, 4, { kind: 'EPISODE' });
    await afterNight();
    await change(world.ada, FORGET, { id });
    await afterNight();
    await change(world.ada, RESTORE, { id });
    await afterNight();
    expect(credits.map((credit) => credit > 0)).toEqual([true, false, true, false, true, false, true]);
  });
});
