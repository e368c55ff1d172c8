import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { attacks } from './attacks.js';
import { leftovers } from './checks/door.check.js';
import type { Mutant } from './mutant.js';
import { inhabit, populate, type World } from './world.js';

/** What the mutant's attacks found; an attack that breaks down has noticed too. */
const notice = async (mutant: Mutant, world: World): Promise<string[]> => {
  const found: string[] = [];
  for (const name of mutant.noticedBy) {
    try {
      const run = name === 'leftovers' ? leftovers(world, mutant.enter) : attacks[name].run(world);
      found.push(...(await run).leaks);
    } catch (error) {
      found.push(`broke down: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
};

/**
 * Each of some slips is noticed in a small world of its own.
 * @param isWhole whether it is also looked at without any; once is enough, as it takes every attack
 */
export const killMutants = (mutants: readonly Mutant[], what: string, isWhole: boolean): void => {
  let template: TestDatabase;
  let killed = 0;

  beforeAll(async () => {
    template = await openTestDatabase();
    await populate(template.adminUrl, 2);
    // Nobody may be connected to a database that is cloned.
    await template.doors.close();
  });
  afterAll(async () => {
    await template.close();
    reportAttack('1.13', mutants.length, { survivors: mutants.length - killed }, what);
  });

  const withClone = async <T>(work: (world: World) => Promise<T>): Promise<T> => {
    const database = await openTestDatabase(template.name);
    try {
      return await work(await inhabit(database));
    } finally {
      await database.close();
    }
  };

  if (isWhole)
    it('none: the small world holds', async () => {
      const leaks = await withClone(async (world) => {
        const findings = [];
        for (const attack of Object.values(attacks)) findings.push(...(await attack.run(world)).leaks);
        return findings;
      });
      expect(leaks).toEqual([]);
    });

  for (const mutant of mutants) {
    it(`killed: ${mutant.name}`, async () => {
      const found = await withClone(async (world) => {
        const { sql } = mutant;
        if (sql !== undefined) await asSuperuser(world.adminUrl, (client) => client.query(sql));
        return notice(mutant, world);
      });
      expect(found).not.toEqual([]);
      killed += 1;
    });
  }
};
