import { eraseBatch, listErasures } from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { type GraphQLClient, invite, machineOf } from '../support/graphql-client.js';
import { change, edit, type EditWorld, openEditWorld, PIN, read } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';
import { query, vote } from './upkeep-world.js';

/** A word that Zed alone writes and keeps for himself. */
const SECRET = 'quokkazanzibar';
const EMAIL = 'zed@canary.example';
const FIELDS = `id userId requestedBy status sharedMemories transferTo memorySum searchedColumns requestedAt finishedAt
  counts { what rows } traces { what rows } mentions { what rows }`;
const ERASE = `mutation ($input: EraseUserInput!) { eraseUser(input: $input) { ${FIELDS} } }`;
const RECEIPT = `query ($id: ID!) { erasure(id: $id) { ${FIELDS} } }`;

interface Erased {
  readonly id: string;
  readonly userId: string;
  readonly requestedBy: string;
  readonly status: string;
  readonly memorySum: string;
  readonly searchedColumns: number;
  readonly counts: { readonly what: string; readonly rows: number }[];
  readonly traces: readonly object[];
  readonly mentions: { readonly what: string; readonly rows: number }[];
}

let world: EditWorld;
let owner: GraphQLClient;
let ada: GraphQLClient;
let mia: GraphQLClient;
let tenantId: string;

beforeAll(async () => {
  world = await openEditWorld();
  ({ owner, ada, mia } = world);
  tenantId = (await query<{ id: string }>(world, `select id from tenant where name = 'Acme'`))[0]?.id ?? '';
});
afterAll(() => world.close());

const idOf = async (who: GraphQLClient): Promise<string> =>
  (await who.send<{ me: { user: { id: string } } }>('{ me { user { id } } }')).me.user.id;

const erase = async (by: GraphQLClient, input: object): Promise<Erased> =>
  (await by.send<{ eraseUser: Erased }>(ERASE, { input })).eraseUser;

const receiptOf = async (id: string, by = owner): Promise<Erased> =>
  (await by.send<{ erasure: Erased }>(RECEIPT, { id })).erasure;

/** Tables in which a row says something, whatever column it is in; read past every policy. */
const tracesOf = async (word: string): Promise<string[]> => {
  const tables = await query<{ name: string }>(
    world,
    `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await query<object>(
      world,
      `select from ${name} t where strpos(lower(to_jsonb(t)::text), $1) > 0 limit 1`,
      [word.toLowerCase()],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
};

/** Works as the worker does, a few rows at a time; every second batch breaks off before its commit. */
const work = async (id: string, limit = 3): Promise<number> => {
  let broken = 0;
  for (let batch = 1; batch < 3_000; batch += 1) {
    const breaks = batch % 2 === 0;
    try {
      const isOver = await world.api.database.doors.asWorker(tenantId, async (tx) => {
        const finished = await eraseBatch(tx, tenantId, id, limit);
        if (breaks) throw new Error('broke off');
        return finished;
      });
      if (isOver) return broken;
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'broke off') throw error;
      broken += 1;
    }
  }
  throw new Error('the erasure does not end');
};

/** Somebody who has done all that a person can, in a project that was archived since, too. */
const liveALife = async (): Promise<{ zed: GraphQLClient; shared: string; mias: string }> => {
  const zed = await invite(owner, { displayName: 'Zed', email: EMAIL, project: 'shop', projectRole: 'MAINTAINER' });
  await owner.send('mutation { createProject(input: { slug: "attic", name: "Attic" }) { id } }');
  const userId = await idOf(zed);
  await owner.send('mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }', {
    input: { project: 'attic', userId, role: 'MAINTAINER' },
  });
  const secrets = [1, 2, 3, 4].map((n) => `The ${SECRET} number ${n} opens door ${n * 7}.`);
  for (const [n, text] of secrets.entries())
    await capture(zed, {
      text,
      idempotencyKey: `key-${n}`,
      tags: [SECRET],
      sessionKey: 'laptop',
      filesModified: [`${SECRET}.ts`],
    });
  // It was private once, under other words.
  const moved = (await capture(zed, { text: `Deploys of the ${SECRET} wait for Mondays.`, scope: 'PRIVATE' })).memory;
  await edit(zed, moved.id, 1, { text: 'Deploys of the storefront wait for Mondays.' });
  await zed.send('mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }', {
    input: { memoryId: moved.id, scope: 'PROJECT', project: 'shop' },
  });
  const shared = (await capture(zed, { text: 'The storefront caches prices for an hour.', project: 'shop' })).memory.id;
  await edit(zed, shared, 1, { text: 'The storefront caches prices for two hours.' });
  await capture(zed, { text: 'The attic keeps old invoices in boxes.', project: 'attic' });
  await zed.send(
    'mutation { setSetting(input: { key: "storage.stale_age_days", value: "30", project: "attic" }) { value } }',
  );
  await owner.send('mutation { archiveProject(project: "attic") { id } }');
  const mias = (await capture(mia, { text: 'Refunds are paid out at noon by the ledger job.', project: 'shop' })).memory
    .id;
  await change(zed, PIN, { id: mias, pinned: true });
  await vote(zed, 'When are refunds paid out?', mias);
  await vote(mia, 'How long does the storefront cache prices?', shared);
  const answer = await retrieve(zed, `Where is the ${SECRET}?`);
  await feedback(zed, {
    retrievalId: answer.retrievalId,
    memoryIds: [answer.hits[0]?.memory.id],
    helpful: true,
    note: SECRET,
  });
  await machineOf(zed, ['READ']);
  await owner.send('mutation { exportData(input: { kind: TENANT }) { id } }');
  await query(
    world,
    `insert into export_part (tenant_id, export_id, file, part, content)
    select tenant_id, id, 'memories.md', 0, $1 from data_export`,
    [`of Zed: ${SECRET}`],
  );
  await mia.send('mutation { exportData(input: { kind: MINE }) { id } }');
  return { zed, shared, mias };
};

describe('erasing a person', () => {
  it('attack 4.12: leaves no trace of them in any table but ids in audit and receipt, whatever breaks off, and says what it did', async () => {
    const { zed, shared, mias } = await liveALife();
    const userId = await idOf(zed);
    const input = { userId, confirmName: 'Zed', sharedMemories: 'KEEP' };
    const before = await tracesOf(SECRET);
    expect(before).toEqual(expect.arrayContaining(['memory', 'retrieval', 'export_part', 'revision']));
    expect(await tracesOf(EMAIL)).toEqual(expect.arrayContaining(['app_user', 'invitation']));
    // Mia writes about him in words of her own, which stay hers.
    await capture(mia, { text: `Ask ${EMAIL} about the boiler.` });
    const others = await query<{ n: number }>(world, `select count(*)::int as n from memory where owner_id <> $1`, [
      userId,
    ]);

    expect((await owner.refused(ERASE, { input: { ...input, confirmName: 'zed' } })).reason).toBe('confirm-name');
    expect((await mia.refused(ERASE, { input })).code).toBe('NOT_FOUND');
    expect((await world.stranger.refused(ERASE, { input })).code).toBe('NOT_FOUND');
    const asked = await erase(owner, input);
    expect(asked).toMatchObject({ userId, status: 'REQUESTED', sharedMemories: 'KEEP' });
    expect((await zed.refused('{ me { user { id } } }')).code).toBe('UNAUTHENTICATED');
    expect(await erase(owner, input)).toEqual(asked);

    expect(await work(asked.id)).toBeGreaterThan(5);

    const receipt = await receiptOf(asked.id);
    expect(receipt).toMatchObject({ status: 'COMPLETED', traces: [], mentions: [{ what: 'memory', rows: 1 }] });
    expect(receipt.searchedColumns).toBeGreaterThan(200);
    expect(await erase(owner, input)).toEqual(receipt);
    const counts = Object.fromEntries(receipt.counts.map(({ what, rows }) => [what, rows]));
    expect(counts).toMatchObject({
      memory: 4,
      'memory given on': expect.any(Number) as number,
      login_session: 2,
      export_part: 1,
    });
    const traces = { secret: await tracesOf(SECRET), id: await tracesOf(userId), email: await tracesOf(EMAIL) };
    expect(traces).toEqual({ secret: [], id: ['audit', 'erasure', 'operator_log'], email: ['memory'] });
    reportAttack('4.12', receipt.searchedColumns, { traces: traces.secret.length }, 'erasure');

    // The team's stays, and what others did stands.
    const left = await read(mia, shared);
    expect(left.author.displayName).toBe('Former member');
    expect(left.history.map(({ author }) => author.displayName)).toEqual(left.history.map(() => 'Former member'));
    expect((await read(mia, mias)).pinned).toBe(true);
    expect(
      await query<{ n: number }>(
        world,
        `select helpful_voters as n from memory_stat where memory_id = any ($1) order by 1`,
        [[shared, mias]],
      ),
    ).toEqual([{ n: 0 }, { n: 1 }]);
    const kept = await query<{ n: number }>(
      world,
      `select count(*)::int as n from memory where owner_id <> md5('former member of ' || tenant_id::text)::uuid`,
    );
    expect(kept).toEqual(others);
    const chain = await owner.send<{ verifyAudit: { firstBadSeq: string | null; complete: boolean } }>(
      '{ verifyAudit { firstBadSeq complete } }',
    );
    expect(chain.verifyAudit).toEqual({ firstBadSeq: null, complete: true });
  });

  it('is asked by everyone for themself, and shared memories go with them or become another person’s, as was said', async () => {
    const { cleo, ben } = world;
    const theirs = (await capture(ada, { text: 'Ada shares how parcels are weighed.', project: 'shop' })).memory.id;
    const bens = (await capture(ben, { text: 'Ben shares how parcels are labelled.', project: 'shop' })).memory.id;
    const [adaId, benId, miaId, cleoId] = [await idOf(ada), await idOf(ben), await idOf(mia), await idOf(cleo)];
    expect(
      (await cleo.refused(ERASE, { input: { userId: adaId, confirmName: 'Ada', sharedMemories: 'ERASE' } })).code,
    ).toBe('NOT_FOUND');
    const own = await erase(ada, { userId: adaId, confirmName: 'Ada', sharedMemories: 'ERASE' });
    expect(own).toMatchObject({ status: 'REQUESTED', requestedBy: adaId });
    const given = await erase(owner, {
      userId: benId,
      confirmName: 'Ben',
      sharedMemories: 'TRANSFER',
      transferTo: miaId,
    });
    expect(
      (await owner.refused(ERASE, { input: { userId: cleoId, confirmName: 'Cleo', sharedMemories: 'TRANSFER' } }))
        .reason,
    ).toBe('transfer-to');
    await work(own.id, 500);
    await work(given.id, 500);
    expect(await receiptOf(own.id)).toMatchObject({ status: 'COMPLETED', traces: [] });
    expect(await query(world, 'select from memory where id = $1', [theirs])).toEqual([]);
    expect((await read(mia, bens)).mine).toBe(true);
    expect((await cleo.refused(RECEIPT, { id: own.id })).code).toBe('FORBIDDEN');
    expect((await world.stranger.refused(RECEIPT, { id: own.id })).code).toBe('NOT_FOUND');
  });

  it('is refused for the last owner, and a trace that no statement reaches fails it by name until it is gone', async () => {
    const ownerId = await idOf(owner);
    const [me] = await query<{ name: string }>(world, 'select display_name as name from app_user where id = $1', [
      ownerId,
    ]);
    const input = { userId: ownerId, confirmName: me?.name ?? '', sharedMemories: 'KEEP' };
    expect((await owner.refused(ERASE, { input })).reason).toBe('last-owner');
    const cleoId = await idOf(world.cleo);
    const later = { userId: cleoId, confirmName: 'Cleo', sharedMemories: 'KEEP' };
    await query(
      world,
      'create table later_table (tenant_id uuid, somebody uuid); grant all on later_table to mem_definer',
    );
    await query(world, 'insert into later_table values ($1, $2)', [tenantId, cleoId]);
    const asked = await erase(owner, later);
    await work(asked.id, 500);
    expect(await receiptOf(asked.id)).toMatchObject({ status: 'FAILED', traces: [{ what: 'later_table', rows: 1 }] });
    await query(world, 'drop table later_table');
    expect(await erase(owner, later)).toMatchObject({ id: asked.id, status: 'REQUESTED' });
    await work(asked.id, 500);
    expect(await receiptOf(asked.id)).toMatchObject({ status: 'COMPLETED', traces: [] });
    const all = await world.api.database.doors.asTenant({ tenantId, userId: ownerId }, (tx) =>
      listErasures(tx, tenantId, { after: null, take: 10 }),
    );
    expect(all.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  });
});
