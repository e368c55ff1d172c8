import type { Doors, Identity } from '@tempera/platform';
import type { TestDatabase } from '../../support/database.js';
import { asSuperuser } from '../../support/cluster.js';
import { castVote, makeRetrieval } from '../../support/memories.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../../support/people.js';

/** The same id for the same number, so that copies of a tenant can be compared memory by memory. */
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const CHUNK = 200;
const MINUTE_MS = 60_000;
const firstDay = Date.UTC(2026, 9, 1, 12);
const minute = (count: number): Date => new Date(firstDay + count * MINUTE_MS);

/** Who is in the tenant that {@link makeLearnedTenant} makes. */
export interface LearnedTenant {
  readonly tenantId: string;
  readonly owner: Person;
  readonly author: Person;
}

/**
 * A tenant whose night has something to do at every step: a chain of episodes, each the neighbour of the next, a third of them
 * successes, every hundredth of them found helpful by somebody; and things said twice, far apart.
 */
export const makeLearnedTenant = async (
  database: Pick<TestDatabase, 'doors' | 'adminUrl'>,
  memories: number,
): Promise<LearnedTenant> => {
  const { doors } = database;
  const { owner, tenantId } = await makeTenant(doors, await makeOperator(database));
  const projectId = await makeProject(doors, owner, 'shared');
  const [author, reader] = [await makePerson(doors, owner, 'author'), await makePerson(doors, owner, 'reader')];
  for (const person of [author, reader]) await addMember(doors, owner, projectId, person.userId);
  for (let from = 0; from < memories; from += CHUNK) {
    const part = { from, to: Math.min(from + CHUNK, memories) };
    await makeEpisodes(doors, author, projectId, part);
    await chainEpisodes(doors, tenantId, part);
  }
  await makeTwins(database, author, projectId, memories);
  for (let number = 2; number < memories; number += 100) await proveUseful(doors, reader, idOf(number));
  return { tenantId, owner, author };
};

const makeEpisodes = (
  doors: Doors,
  author: Person,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<unknown> =>
  doors.asTenant(author, (tx) =>
    tx.memory.createMany({
      data: Array.from({ length: to - from }, (_, at) => from + at).map((number) => ({
        tenantId: author.tenantId,
        id: idOf(number),
        ownerId: author.userId,
        projectId,
        scope: 'project',
        kind: 'episode',
        title: `episode ${number}`,
        text: `What was done in episode ${number}.`,
        outcome: number % 3 === 0 ? 'success' : 'failure',
        validFrom: minute(number * 10),
        startedAt: minute(number * 10 - 5),
        endedAt: minute(number * 10),
      })),
    }),
  );

/** Links each to the one before it. */
const chainEpisodes = (
  doors: Doors,
  tenantId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<unknown> =>
  doors.asWorker(
    tenantId,
    (tx) => tx.$executeRaw`
      insert into link (tenant_id, from_id, to_id, kind, weight)
      select ${tenantId}::uuid, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        ('00000000-0000-4000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid, 'neighbour', 0.6 + (n % 30) / 100.0
      from generate_series(${Math.max(1, from)}::int, ${to - 1}::int) as n`,
  );

/** Says so many things twice, the second time in the last pages that a step comes to; fewer where there is no room for them. */
export const TWINS = 40;

const makeTwins = async (
  { doors, adminUrl }: Pick<TestDatabase, 'doors' | 'adminUrl'>,
  author: Person,
  projectId: string,
  memories: number,
): Promise<void> => {
  // Between the episodes: the ids of those have decimal digits alone.
  const idBetween = (decade: number): string => idOf(decade).replace(/0(\d{11})$/, '$1a');
  const twins = Math.min(TWINS, Math.floor(memories / 40) - 1);
  const pairs = Array.from({ length: twins }, (_, n): [string, string] => [
    idBetween(n * 2),
    idBetween(Math.floor(memories / 10) - 1 - n * 2),
  ]);
  await doors.asTenant(author, (tx) =>
    tx.memory.createMany({
      data: pairs.flatMap((ids, n) =>
        ids.map((id, time) => ({
          ...{ tenantId: author.tenantId, id, ownerId: author.userId, projectId, scope: 'project' as const },
          ...{ kind: 'background' as const, title: `shop ${n}`, text: `Shop number ${n} sends its parcels by night.` },
          ...{
            tags: [time === 0 ? 'first' : 'second'],
            validFrom: minute(n),
            startedAt: minute(n),
            endedAt: minute(n + time),
          },
        })),
      ),
    }),
  );
  // As the encoder would find them: in a direction of their own, and linked.
  await asSuperuser(adminUrl, async (client) => {
    for (const [n, [one, other]] of pairs.entries()) {
      const vector = JSON.stringify(Array.from({ length: TWINS }, (_, at) => (at === n ? 1 : 0)));
      await client.query(
        `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector, scope, owner_id, project_id)
         select tenant_id, id, 'bge-small-en-v1.5@test', '\\x00', $2::vector, scope, owner_id, project_id
         from memory where tenant_id = $3 and id = any ($1)`,
        [[one, other], vector, author.tenantId],
      );
      await client.query(
        `insert into link (tenant_id, from_id, to_id, kind, weight)
         select $1, a, b, 'neighbour', 1 from (values ($2::uuid, $3::uuid), ($3, $2)) as l (a, b)`,
        [author.tenantId, one, other],
      );
    }
  });
};

/** Asked for on two days and found helpful on the second, as a source must be. */
const proveUseful = async (doors: Doors, voter: Identity, memoryId: string): Promise<void> => {
  const [before, at] = [new Date(Date.UTC(2026, 10, 9, 12)), new Date(Date.UTC(2026, 10, 10, 12))];
  await makeRetrieval(doors, voter, [memoryId], { at: before });
  const retrievalId = await makeRetrieval(doors, voter, [memoryId], { at });
  await castVote(doors, voter, memoryId, true, { retrievalId, at });
};
