import type { Attacker } from '../attacker.js';
import { withAttacker } from '../attacker.js';
import { sightOf, tablesOf, type Sight, type Table } from '../sight.js';
import type { Citizen, Finding, World } from '../world.js';

/** Keys of rows in other tenants than one's own. */
const foreignKeys = (sight: Sight, world: World, me: Citizen, many: number): string[] => {
  const keys: string[] = [];
  for (const other of world.citizens) {
    if (other.tenantId === me.tenantId || keys.length >= many) continue;
    const key = sight.seen.get(other.userId)?.[0] ?? sight.hidden.get(other.userId)?.[0];
    if (key !== undefined && !keys.includes(key)) keys.push(key);
  }
  return keys;
};

/** Everything one may try on one row that one must not even notice. */
const touch = async (attacker: Attacker, table: Table, key: string): Promise<string[]> => {
  const { name, changeable } = table;
  const statements: [string, string][] = [
    ['select', `select ${table.key} from ${name} t where ${table.key} = $1`],
    ['update', `update ${name} t set ${changeable} = ${changeable} where ${table.key} = $1`],
    ['delete', `delete from ${name} t where ${table.key} = $1`],
  ];
  const leaks: string[] = [];
  for (const [command, sql] of statements) {
    const answer = await attacker.attempt(sql, [key]);
    if (answer.kind === 'rows' && answer.count > 0) leaks.push(`${command} ${name} ${key}`);
    if (answer.kind === 'error' && answer.code !== '42501') leaks.push(`${command} ${name}: ${answer.message}`);
  }
  return leaks;
};

/** What one sees of a table without asking for anything: exactly what one may, no row more and none less. */
const look = async (attacker: Attacker, table: Table, expected: readonly string[]): Promise<string[]> => {
  const answer = await attacker.attempt(`select ${table.key} as key from ${table.name} t order by 1`);
  if (answer.kind === 'error') {
    if (answer.code !== '42501') return [`select ${table.name}: ${answer.message}`];
    return expected.length === 0 ? [] : [`${table.name} is closed to who may see ${expected.length} rows`];
  }
  const seen = new Set(answer.rows.map((row) => String(row['key'])));
  const surplus = [...seen].filter((key) => !expected.includes(key));
  const missing = expected.filter((key) => !seen.has(key));
  return [
    ...surplus.map((key) => `${table.name}: sees ${key}`),
    ...missing.map((key) => `${table.name}: does not see ${key}`),
  ];
};

/** Attack 1.3: everyone, every table, every command, with keys of other tenants and of what is hidden in one's own. */
export const crossAccess = async (world: World, foreignEach = 1): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    for (const table of await tablesOf(world)) {
      const sight = await sightOf(world, table);
      for (const me of world.citizens) {
        await attacker.claiming(me, async () => {
          leaks.push(...(await look(attacker, table, sight.seen.get(me.userId) ?? [])));
          const keys = [
            ...foreignKeys(sight, world, me, foreignEach),
            ...(sight.hidden.get(me.userId) ?? []).slice(0, foreignEach),
          ];
          for (const key of keys) leaks.push(...(await touch(attacker, table, key)));
        });
      }
    }
    return { attempts: attacker.attempts(), leaks };
  });

/** The machines' roles inside a tenant: no row of another one, in whatever table they may read. */
export const machineSight = async (world: World): Promise<Finding> => {
  const leaks: string[] = [];
  let attempts = 0;
  const tenants = [...new Set(world.citizens.map((citizen) => citizen.tenantId))];
  for (const role of ['mem_worker', 'mem_text'] as const) {
    await withAttacker(world, role, async (attacker) => {
      for (const table of await tablesOf(world)) {
        for (const tenantId of tenants) {
          const column = table.tenantColumn ?? table.key;
          await attacker.claiming({ tenantId, userId: '' }, async () => {
            const answer = await attacker.attempt(
              `select ${column} as tenant, count(*) from ${table.name} t group by 1`,
            );
            if (answer.kind === 'error' && answer.code !== '42501')
              leaks.push(`${role} ${table.name}: ${answer.message}`);
            if (answer.kind !== 'rows') return;
            for (const row of answer.rows) {
              if (row['tenant'] !== tenantId) leaks.push(`${role} sees ${table.name} of ${String(row['tenant'])}`);
            }
          });
        }
      }
      attempts += attacker.attempts();
    });
  }
  return { attempts, leaks };
};
