import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MATRIX_ROLES, type MatrixRole, maySend, withTables } from '../../apps/api/src/auth/operation-matrix.js';
import { OPERATION_RULES } from '../../apps/api/src/auth/operation-rules.js';
import { startTestApi, type TestApi } from '../support/api.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { isLetThrough, openRoleWorld } from '../support/role-world.js';
import { operations, readSchema } from '../support/schema-walk.js';

const all = operations(readSchema());

describe('every operation, by role', () => {
  let api: TestApi;
  let world: Readonly<Record<MatrixRole, GraphQLClient>>;

  beforeAll(async () => {
    api = await startTestApi();
    world = await openRoleWorld(api);
  }, 60_000);
  afterAll(() => api.close());

  it('has a rule, and no rule is of an operation that is not there', () => {
    expect(Object.keys(OPERATION_RULES).sort()).toEqual(all.map(({ name }) => name).sort());
  });

  it('lets come whom its rule lets come, and nobody else', async () => {
    // Logging out last: it ends the session that the others need.
    const ordered = [...all].sort((one, other) => Number(one.name === 'logout') - Number(other.name === 'logout'));
    let calls = 0;
    for (const operation of ordered) {
      const rule = OPERATION_RULES[operation.name];
      if (rule === undefined) throw new Error(`${operation.name} has no rule`);
      for (const role of MATRIX_ROLES) {
        const through = await isLetThrough(world[role], operation);
        expect({ name: operation.name, role, through }).toEqual({
          name: operation.name,
          role,
          through: maySend(rule, role),
        });
        calls += 1;
      }
    }
    process.stdout.write(`role matrix: ${all.length} operations, ${MATRIX_ROLES.length} roles, ${calls} calls\n`);
  }, 240_000);

  it('stands in the documentation as it is', () => {
    const page = readFileSync(new URL('../../docs/tenancy.md', import.meta.url), 'utf8');
    const bare = (text: string): string => text.replace(/-{3,}/g, '---').replace(/ +/g, ' ');
    expect(bare(page)).toBe(bare(withTables(page)));
  });
});
