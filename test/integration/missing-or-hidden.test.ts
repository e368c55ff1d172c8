import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';
import { capture, type MemoryWorld, openMemoryWorld } from './memory-world.js';

const isFull = process.env['TEMPERA_FULL'] === '1';
const EACH = isFull ? 1_000 : 100;

let world: MemoryWorld;
let stranger: GraphQLClient;
beforeAll(async () => {
  world = await openMemoryWorld();
  stranger = await createTenant(await world.api.operator(), 'Strangers');
});
afterAll(() => world.close());

const ask = async (id: string): Promise<{ readonly ms: number; readonly body: string }> => {
  const token = (await world.ada.token()) ?? '';
  const began = performance.now();
  const response = await fetch(`${world.api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: 'query ($id: ID!) { memory(id: $id) { id text } }', variables: { id } }),
  });
  const body = await response.text();
  const ms = performance.now() - began;
  // Every answer names its request; nothing else may differ.
  return { ms, body: `${response.status} ${body.replace(/"requestId":"[^"]+"/, '')}` };
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

it('attack 1.16: deleted, private of a colleague, foreign and never there are one answer, in one time', async () => {
  const deleted = (await capture(world.ada, 'The old staging server is called heron.')).memory.id;
  await asSuperuser(world.api.database.adminUrl, (client) =>
    client.query('delete from memory where id = $1', [deleted]),
  );
  const hidden = (await capture(world.ben, 'Ben keeps his notes in a shed.')).memory.id;
  const foreign = (await capture(stranger, { text: 'Strangers deploy on Fridays.', scope: 'TENANT' })).memory.id;
  const ids: Readonly<Record<string, () => string>> = {
    deleted: () => deleted,
    'a colleague’s private': () => hidden,
    'another tenant’s': () => foreign,
    random: randomUUID,
  };
  const times = new Map<string, number[]>();
  const bodies = new Set<string>();
  for (let n = 0; n < EACH; n++) {
    for (const [kind, id] of Object.entries(ids)) {
      const { ms, body } = await ask(id());
      times.set(kind, [...(times.get(kind) ?? []), ms]);
      bodies.add(body);
    }
  }
  const medians = [...times].map(([kind, values]) => ({ kind, ms: median(values) }));
  const spread = Math.max(...medians.map(({ ms }) => ms)) - Math.min(...medians.map(({ ms }) => ms));
  const each = medians.map(({ kind, ms }) => `${kind} ${ms.toFixed(2)}`).join(', ');
  reportAttack(
    '1.16',
    4 * EACH,
    { 'other bodies': bodies.size - 1 },
    `medians ${each} ms, spread ${spread.toFixed(2)} ms`,
  );
  expect([...bodies]).toHaveLength(1);
  expect([...bodies][0]).toContain('NOT_FOUND');
  // The target of 2 ms is read off the line above; what is asserted is that no kind takes another order of time.
  expect(Math.max(...medians.map(({ ms }) => ms)) / Math.min(...medians.map(({ ms }) => ms))).toBeLessThan(2);
}, 300_000);
