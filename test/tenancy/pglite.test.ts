import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../support/pglite.js';
import { attacks, report } from './attacks.js';
import { inhabit, populate, type World } from './world.js';

// The fallback of a machine without pip. Every login is a superuser there, so what is attacked is the role that a door's
// first statement sets; what only a login of its own could prove is left to the native suite.
describe('the embedded database, with two tenants of five users each', () => {
  let database: EmbeddedDatabase;
  let world: World;

  beforeAll(async () => {
    database = await openEmbeddedDatabase();
    await populate(database.adminUrl, 2);
    world = await inhabit(database);
    const [row] = await database.doors.asTenant(
      world.citizens[0] ?? { tenantId: '', userId: '' },
      (tx) => tx.$queryRaw<{ user: string; version: string }[]>`
        select current_user::text as user, current_setting('server_version') as version`,
    );
    process.stdout.write(`database: PGlite ${row?.version ?? '?'}, current_user ${row?.user ?? '?'}, one backend\n`);
  });
  afterAll(() => database.close());

  for (const attack of Object.values(attacks)) {
    it(`attack ${attack.number}: ${attack.guarantee}`, async () => {
      const { leaks } = await report(attack, world);
      expect(leaks).toEqual([]);
    });
  }
});
