import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { attacks, report } from './attacks.js';
import { inhabit, populate, type World } from './world.js';

describe('twenty tenants of five users each', () => {
  let database: TestDatabase;
  let world: World;
  let reached = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    await populate(database.adminUrl, 20);
    world = await inhabit(database);
  });
  afterAll(() => database.close());

  for (const attack of Object.values(attacks)) {
    it(`attack ${attack.number}: ${attack.guarantee}`, async () => {
      const { attempts, leaks } = await report(attack, world);
      reached += attempts;
      expect(leaks).toEqual([]);
      expect(attempts).toBeGreaterThan(0);
    });
  }

  it('was attacked at least 10,000 times', () => {
    expect(world.citizens).toHaveLength(100);
    expect(reached).toBeGreaterThanOrEqual(10_000);
  });
});
