import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import { findOrStartSession, type Identity } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant } from '../support/people.js';
import { projectRoot } from '../support/programs.js';

interface GoldenSession {
  readonly id: string;
  readonly user: string;
  readonly project: string | null;
  readonly key: string | null;
  readonly startedAt: string;
  readonly lastAt: string;
}
interface GoldenCase {
  readonly function: string;
  readonly input: {
    readonly sessions: readonly GoldenSession[];
    readonly capture: {
      readonly user: string;
      readonly project: string | null;
      readonly key: string | null;
      readonly at: string;
    };
  };
  readonly expected: { readonly id: string | null; readonly lastAt: string };
}

const { cases } = JSON.parse(readFileSync(join(projectRoot, 'libs/core/golden/core.json'), 'utf8')) as {
  readonly cases: readonly GoldenCase[];
};
const golden = cases.filter((one) => one.function === 'linkSession');

let database: TestDatabase;
let people: ReadonlyMap<string, Identity>;
let projects: ReadonlyMap<string | null, string | null>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { owner } = await makeTenant(database.doors, await makeOperator(database));
  const shop = await makeProject(database.doors, owner, 'shop');
  const site = await makeProject(database.doors, owner, 'site');
  const ben = await makePerson(database.doors, owner, 'Ben', { projectId: shop });
  await addMember(database.doors, owner, site, ben.userId);
  people = new Map([
    ['ann', owner],
    ['ben', ben],
  ]);
  projects = new Map([
    [null, null],
    ['shop', shop],
    ['site', site],
  ]);
});
afterAll(() => database.close());

/** `s3` in the order of its name. */
const uuidOf = (name: string): string => `00000000-0000-4000-8000-${name.slice(1).padStart(12, '0')}`;

const placeOf = ({
  user,
  project,
}: {
  readonly user: string;
  readonly project: string | null;
}): [Identity, string | null] => {
  const person = people.get(user);
  if (person === undefined) throw new Error(`no such person: ${user}`);
  return [person, projects.get(project) ?? null];
};

/** Only these sessions are there, as nobody could arrange them through a door. */
const arrange = (sessions: readonly GoldenSession[]): Promise<void> =>
  asSuperuser(database.adminUrl, async (client) => {
    await client.query('delete from work_session');
    for (const session of sessions) {
      const [{ tenantId, userId }, projectId] = placeOf(session);
      await client.query(
        `insert into work_session (tenant_id, id, user_id, project_id, client_key, started_at, last_at)
          values ($1, $2, $3, $4, $5, $6, $7)`,
        [tenantId, uuidOf(session.id), userId, projectId, session.key, session.startedAt, session.lastAt],
      );
    }
  });

describe('the session of a capture', () => {
  it.each(golden.map((one, index) => [index, one] as const))(
    'is found by the database as by the golden rule: case %i',
    async (_, { input, expected }) => {
      await arrange(input.sessions);
      const [person, projectId] = placeOf(input.capture);
      const { tenantId, userId } = person;
      const id = await database.doors.asTenant(person, (tx) =>
        findOrStartSession(tx, {
          tenantId: asId<TenantId>(tenantId),
          userId: asId<UserId>(userId),
          projectId: projectId === null ? null : asId<ProjectId>(projectId),
          clientKey: input.capture.key,
          at: new Date(input.capture.at),
        }),
      );
      const rows = await asSuperuser(database.adminUrl, (client) =>
        client.query<{ id: string; last_at: Date }>('select id, last_at from work_session'),
      );
      expect(rows.rows.length).toBe(input.sessions.length + (expected.id === null ? 1 : 0));
      if (expected.id !== null) expect(id).toBe(uuidOf(expected.id));
      expect(rows.rows.find((row) => row.id === id)?.last_at.toISOString()).toBe(expected.lastAt);
    },
  );

  it('has golden cases', () => expect(golden.length).toBeGreaterThan(30));
});
