import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '@tempera/client-kit';
import { grantOf, PERMISSIONS, type AccessRole } from '@tempera/core';
import { isRefused } from '@tempera/platform';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeMemory, makeRetrieval } from '../support/memories.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import { makeGroup, propose } from '../support/scopes.js';
import { asking, type Attempt, attempts, type Ground, type Mover } from './permission-attempts.js';

/** Thrown when an attempt has gone through, so that nothing of it stays. */
class Undone extends Error {
  constructor(readonly reached: number) {
    super('undone');
  }
}

describe('the table of permissions, held against the database', () => {
  let database: TestDatabase;
  let ground: Ground;
  const movers = new Map<AccessRole | 'viewer' | 'stranger', Mover>();
  let tried = 0;

  /** Whether the database lets someone do it; refusals count as no, everything else is a fault. */
  const may = async (me: Mover, attempt: Attempt): Promise<boolean> => {
    tried += 1;
    try {
      await database.doors.asTenant(me, async (tx) => {
        throw new Undone(await attempt(tx, me, ground));
      });
    } catch (error) {
      if (error instanceof Undone) return error.reached > 0;
      const known = isAppError(error) && ['forbidden', 'not-found'].includes(error.kind);
      if (known || isRefused(error)) return false;
      throw error;
    }
    return false;
  };

  const superuser = (sql: string, values: readonly unknown[]): Promise<unknown> =>
    asSuperuser(database.adminUrl, (client) => client.query(sql, [...values]));
  /** A memory in a project, whatever its owner may do there today. */
  const planted = async (owner: Person, projectId: string): Promise<string> => {
    const id = randomUUID();
    await superuser(
      `insert into memory (tenant_id, id, owner_id, project_id, scope, kind, title, text, valid_from, started_at, ended_at)
       values ($1, $2, $3, $4, 'project', 'decision', 't', 't', now(), now(), now())`,
      [owner.tenantId, id, owner.userId, projectId],
    );
    return id;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    const { doors } = database;
    const { owner } = await makeTenant(doors, await makeOperator(database));
    const [project, reviewed, outside, other] = [
      await makeProject(doors, owner, 'project'),
      await makeProject(doors, owner, 'reviewed'),
      await makeProject(doors, owner, 'outside'),
      await makeProject(doors, owner, 'other'),
    ];
    const group = await makeGroup(doors, owner, 'group', [project, other]);
    await doors.asTenant(owner, (tx) =>
      tx.project.updateMany({ where: { id: reviewed }, data: { reviewRequired: true } }),
    );
    const join = async (name: string, role?: 'maintainer' | 'contributor' | 'reader'): Promise<Person> => {
      const person = await makePerson(doors, owner, name, {
        ...(name === 'admin' ? { tenantRole: 'admin' } : name === 'viewer' ? { tenantRole: 'viewer' } : {}),
      });
      for (const id of role === undefined ? [] : [project, reviewed, outside]) {
        await addMember(doors, owner, id, person.userId, role);
      }
      return person;
    };
    const [heir, leaver, proposer] = [
      await join('heir', 'contributor'),
      await join('leaver', 'contributor'),
      await join('proposer', 'contributor'),
    ];
    const orphan = await makeMemory(doors, leaver, { scope: 'project', projectId: project });
    await superuser(`update app_user set status = 'removed' where id = $1`, [leaver.userId]);
    const mine = (scope: 'project' | 'group' | 'tenant'): Promise<string> =>
      makeMemory(doors, owner, {
        scope,
        ...(scope === 'tenant' ? {} : { projectId: project }),
        ...(scope === 'group' ? { groupId: group } : {}),
      });
    const asked = async (to: Parameters<typeof propose>[3]): Promise<string> =>
      propose(doors, proposer, await makeMemory(doors, proposer), to);
    ground = {
      project,
      reviewed,
      group,
      outside,
      shared: { project: await mine('project'), group: await mine('group'), tenant: await mine('tenant') },
      orphan,
      leaver: leaver.userId,
      heir: heir.userId,
      proposals: {
        project: await asked({ scope: 'project', projectId: reviewed }),
        tenant: await asked({ scope: 'tenant' }),
      },
    };
    const settle = async (standing: AccessRole | 'viewer' | 'stranger', person: Person): Promise<void> => {
      const own = {
        private: await makeMemory(doors, person),
        shared: await planted(person, project),
      };
      const visible = await doors.asTenant(person, (tx) => tx.memory.count({ where: { id: ground.shared.project } }));
      const retrieval = visible === 0 ? randomUUID() : await makeRetrieval(doors, person, [ground.shared.project]);
      movers.set(standing, { ...person, own, retrieval });
    };
    await settle('admin', await join('admin'));
    for (const role of ['maintainer', 'contributor', 'reader'] as const) await settle(role, await join(role, role));
    await settle('viewer', await join('viewer', 'maintainer'));
    await settle('stranger', await join('stranger'));
  });
  afterAll(async () => {
    await database.close();
    process.stdout.write(`permissions: ${tried} attempts of ${movers.size} people against the table\n`);
  });

  const mover = (name: AccessRole | 'viewer' | 'stranger'): Mover => {
    const found = movers.get(name);
    if (found === undefined) throw new Error(`nobody is ${name}`);
    return found;
  };
  /** What the database should say to a person of this standing who is in no project beyond it. */
  const expected = (action: string, standing: AccessRole): boolean =>
    ['yes', 'project', 'bothSides', 'removed', 'run'].includes(grantOf(action, standing));

  it('has an attempt for every action', () => {
    const named = PERMISSIONS.flatMap(({ permissions }) => permissions.map(({ action }) => action));
    expect([...Object.keys(attempts), 'maintain'].sort()).toEqual([...named].sort());
  });

  for (const [action, attempt] of Object.entries(attempts)) {
    for (const standing of ['admin', 'maintainer', 'contributor', 'reader'] as const) {
      it(`${action}: ${standing} ${grantOf(action, standing)}`, async () => {
        expect(await may(mover(standing), attempt)).toBe(expected(action, standing));
      });
    }

    it(`${action}: a tenant’s viewer is a reader, whatever a project calls him`, async () => {
      expect(await may(mover('viewer'), attempt)).toBe(expected(action, 'reader'));
    });

    it(`${action}: a member of no project has what everyone has`, async () => {
      const everyone = ['see-tenant', 'capture-private'].includes(action);
      expect(await may(mover('stranger'), attempt)).toBe(everyone);
    });
  }

  it('what may be proposed is proposed by contributors, and by nobody who only reads', async () => {
    expect(await may(mover('contributor'), asking)).toBe(true);
    for (const name of ['reader', 'viewer', 'stranger', 'admin'] as const)
      expect(await may(mover(name), asking)).toBe(false);
  });
});
