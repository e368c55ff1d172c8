import { randomUUID } from 'node:crypto';
import { asSuperuser } from '../../support/cluster.js';
import { withAttacker, type Answer, type Attacker } from '../attacker.js';
import type { Reference, ReferenceKind } from '../reference.js';
import { machineReferences, references } from '../references.js';
import { sightOf, tablesOf, type Sight } from '../sight.js';
import type { Citizen, Finding, World } from '../world.js';

/** Rows of one's own that a reference needs beside the id it points at. */
interface Own {
  readonly memory: string;
  readonly retrieval: string;
  readonly run: string;
}

type Sights = ReadonlyMap<ReferenceKind, Sight>;

const kinds: readonly ReferenceKind[] = [
  'memory',
  'project',
  'work_session',
  'retrieval',
  'login_session',
  'app_user',
  'maintenance_run',
  'project_group',
  'proposal',
  'audience_change',
  'upkeep_run',
  'data_export',
  'profile',
  'conversation',
];

/** The id is the last part of the key (tenant, id). */
const idOf = (key: string): string => key.split('/').at(-1) ?? key;

const sightsOf = async (world: World): Promise<Sights> => {
  const tables = await tablesOf(world);
  const sights = new Map<ReferenceKind, Sight>();
  for (const kind of kinds) {
    const table = tables.find((candidate) => candidate.name === kind);
    if (table) sights.set(kind, await sightOf(world, table));
  }
  return sights;
};

const ownOf = async (world: World): Promise<Map<string, Own>> =>
  asSuperuser(world.adminUrl, async (client) => {
    const { rows } = await client.query<Own & { user: string }>(`
      select u.id as user, (select id from memory m where m.tenant_id = u.tenant_id and m.owner_id = u.id
          and m.scope = 'private' order by id limit 1) as memory,
        (select id from retrieval r where r.tenant_id = u.tenant_id and r.user_id = u.id) as retrieval,
        (select id from maintenance_run r where r.tenant_id = u.tenant_id limit 1) as run
      from app_user u`);
    return new Map(rows.map((row) => [row.user, row]));
  });

const describe = (answer: Answer): string =>
  answer.kind === 'error' ? `${answer.code} ${answer.message}` : `${answer.count} rows`;

/** The ids of a kind that `me` may not use: another tenant's, one hidden in his own, one that is nobody's. */
const forbiddenIds = (world: World, sight: Sight | undefined, me: Citizen): Record<string, string> => {
  const foreign = world.citizens.find(
    (other) => other.tenantId !== me.tenantId && other.n === me.n && (sight?.seen.get(other.userId)?.length ?? 0) > 0,
  );
  const foreignKey = foreign && sight?.seen.get(foreign.userId)?.[0];
  const hiddenKey = sight?.hidden.get(me.userId)?.[0];
  return {
    random: randomUUID(),
    ...(foreignKey === undefined ? {} : { foreign: idOf(foreignKey) }),
    ...(hiddenKey === undefined ? {} : { hidden: idOf(hiddenKey) }),
  };
};

/** Only the parameters that a statement names may be sent with it. */
const send = (attacker: Attacker, reference: Reference, me: Citizen, own: Own, id: string): Promise<Answer> => {
  const all = [me.tenantId, me.userId, id, own.memory, own.retrieval, own.run];
  const used = [...new Set([...reference.sql.matchAll(/\$(\d)/g)].map((match) => Number(match[1])))].sort();
  const sql = reference.sql.replace(/\$(\d)/g, (_, n: string) => `$${used.indexOf(Number(n)) + 1}::uuid`);
  return attacker.attempt(
    sql,
    used.map((n) => all[n - 1]),
  );
};

const pointAt = async (
  attacker: Attacker,
  reference: Reference,
  me: Citizen,
  own: Own,
  ids: Record<string, string>,
): Promise<string[]> => {
  const leaks: string[] = [];
  const answers = new Map<string, string>();
  for (const [which, id] of Object.entries(ids)) {
    const answer = await send(attacker, reference, me, own, id);
    if (answer.kind === 'rows') leaks.push(`user ${me.n}: ${reference.name} takes a ${which} id`);
    answers.set(which, describe(answer));
  }
  // Error texts name no ids (those are in the detail, which no caller gets), so they must be equal to the letter.
  if (new Set(answers.values()).size > 1) {
    leaks.push(`user ${me.n}: ${reference.name} tells apart ${JSON.stringify(Object.fromEntries(answers))}`);
  }
  return leaks;
};

/** Attack 1.7: point at rows of another tenant, at hidden ones of one's own, and at none; all fail in the same words. */
export const foreignReferences = async (world: World): Promise<Finding> => {
  const sights = await sightsOf(world);
  const own = await ownOf(world);
  return withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    // Fifty people are five thousand attempts; the matrix has everyone.
    for (const me of world.citizens.slice(0, 50)) {
      const mine = own.get(me.userId);
      if (!mine) continue;
      await attacker.claiming(me, async () => {
        for (const reference of references) {
          const ids = forbiddenIds(world, sights.get(reference.kind), me);
          leaks.push(...(await pointAt(attacker, reference, me, mine, ids)));
        }
      });
    }
    return { attempts: attacker.attempts(), leaks };
  });
};

/** The machines' writes: an id of another tenant is refused like one that does not exist. */
export const machineForeignReferences = async (world: World): Promise<Finding> => {
  const sights = await sightsOf(world);
  const own = await ownOf(world);
  const leaks: string[] = [];
  let attempts = 0;
  for (const role of ['mem_worker', 'mem_text'] as const) {
    await withAttacker(world, role, async (attacker) => {
      for (const me of world.citizens.filter((citizen) => citizen.n === 1)) {
        const mine = own.get(me.userId);
        if (!mine) continue;
        await attacker.claiming({ tenantId: me.tenantId, userId: '' }, async () => {
          for (const reference of machineReferences.filter((candidate) => candidate.role === role)) {
            const { random = '', foreign = '' } = forbiddenIds(world, sights.get(reference.kind), me);
            leaks.push(...(await pointAt(attacker, reference, me, mine, { random, foreign })));
          }
        });
      }
      attempts += attacker.attempts();
    });
  }
  return { attempts, leaks };
};

/** Past the policies: stored, or stopped only by a row that is there already or by the stale-revision check behind them. */
const passed = (answer: Answer): boolean =>
  answer.kind === 'rows' || answer.code === '23505' || answer.code === 'TM001';

/** The other side of attack 1.7: each statement works for someone with an id he may use, so its failing proves something. */
export const allowedReferences = async (world: World): Promise<Finding> => {
  const sights = await sightsOf(world);
  const own = await ownOf(world);
  const tenantId = world.citizens[0]?.tenantId;
  return withAttacker(world, 'mem_app', async (attacker) => {
    const working = new Set<string>();
    for (const me of world.citizens.filter((citizen) => citizen.tenantId === tenantId)) {
      const mine = own.get(me.userId);
      if (!mine) continue;
      await attacker.claiming(me, async () => {
        for (const reference of references) {
          for (const key of sights.get(reference.kind)?.seen.get(me.userId) ?? []) {
            if (!working.has(reference.name) && passed(await send(attacker, reference, me, mine, idOf(key)))) {
              working.add(reference.name);
            }
          }
        }
      });
    }
    const leaks = references.filter(({ name }) => !working.has(name)).map(({ name }) => `${name} works for nobody`);
    return { attempts: attacker.attempts(), leaks };
  });
};
