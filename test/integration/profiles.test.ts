import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshProfile } from '@tempera/platform';
import type { GraphQLClient } from '../support/graphql-client.js';
import { ARCHIVE, change, type EditWorld, FORGET, openEditWorld, PIN, refusal, RESTORE } from './edit-world.js';
import { capture } from './memory-world.js';
import { query, vote } from './upkeep-world.js';

const LINES = '{ project refreshedAt lines { part text ageDays memory { id scope } } }';
const READ = `query ($project: String) { profile(project: $project) ${LINES} }`;
const REFRESH = `mutation ($project: String) { refreshProfile(project: $project) ${LINES} }`;
const SHOP = { project: 'shop' };
const audience = (name: string): string =>
  `mutation ($input: AudienceInput!) { ${name}(input: $input) { __typename } }`;
const [DEMOTE, SHARE] = [audience('demoteMemory'), audience('shareMemory')];

interface ProfileView {
  readonly project: string | null;
  readonly refreshedAt: string | null;
  readonly lines: {
    readonly part: string;
    readonly text: string;
    readonly ageDays: number;
    readonly memory: { readonly id: string; readonly scope: string };
  }[];
}

const read = async (person: GraphQLClient, project: string | null = null): Promise<ProfileView> =>
  (await person.send<{ profile: ProfileView }>(READ, { project })).profile;
const refresh = async (person: GraphQLClient, project: string | null = null): Promise<ProfileView> =>
  (await person.send<{ refreshProfile: ProfileView }>(REFRESH, { project })).refreshProfile;
const toldBy = ({ lines }: ProfileView): string[] => lines.map(({ part, memory }) => `${part} ${memory.id}`);

describe('a profile', () => {
  let world: EditWorld;
  beforeAll(async () => {
    world = await openEditWorld();
  });
  afterAll(() => world.close());

  const keep = async (person: GraphQLClient, text: string, more: object): Promise<string> =>
    (await capture(person, { merge: 'NEVER', text, ...more })).memory.id;
  const lines = (): Promise<{ memory_id: string }[]> => query(world, 'select memory_id from profile_line');

  it('of a person tells that person’s own preferences and facts, to nobody else, and follows the memory at once', async () => {
    const { ada, ben } = world;
    expect(await read(ada)).toEqual({ project: null, refreshedAt: null, lines: [] });
    const own = { scope: 'PRIVATE', kind: 'PREFERENCE' };
    const spaces = await keep(ada, 'Ada indents by two spaces.', own);
    const shared = await keep(ada, 'Ada writes the till in Go.', { ...SHOP, kind: 'BACKGROUND' });
    await keep(ada, 'Ada has a todo at the till.', { scope: 'PRIVATE', kind: 'TODO' });
    await keep(ben, 'Ben indents by tabs.', own);

    const chosen = await refresh(ada);
    expect(toldBy(chosen)).toEqual([`PREFERENCE ${spaces}`, `BACKGROUND ${shared}`]);
    expect(chosen.lines[0]).toMatchObject({ text: 'Ada indents by two spaces.', ageDays: 0 });
    expect(await read(ada)).toEqual(chosen);
    expect(toldBy(await refresh(ada))).toEqual(toldBy(chosen));
    for (const person of [ben, world.owner, world.mia]) expect((await read(person)).lines).toEqual([]);

    await change(ada, FORGET, { id: spaces });
    expect(toldBy(await read(ada))).toEqual([`BACKGROUND ${shared}`]);
    await change(ada, RESTORE, { id: spaces });
    expect(toldBy(await read(ada))).toEqual(toldBy(chosen));
  });

  it('of a project tells what all its members see: pins, facts, and what helped others; never what is private', async () => {
    const { ada, ben, mia } = world;
    const decision = await keep(ada, 'The shop rounds prices to five cents.', { ...SHOP, kind: 'DECISION' });
    const pinned = await keep(mia, 'The shop is closed on Mondays.', { ...SHOP, kind: 'TODO' });
    await change(mia, PIN, { id: pinned, pinned: true });
    const work = await keep(ada, 'Replaced the brittle barcode scanner driver of the shop.', {
      ...SHOP,
      kind: 'EPISODE',
    });
    const unseen = await keep(ada, 'Oiled the shutters of the shop.', { ...SHOP, kind: 'EPISODE' });
    const hidden = await keep(ada, 'Ada dislikes the shop’s prices.', {
      ...SHOP,
      scope: 'PRIVATE',
      kind: 'PREFERENCE',
    });
    await vote(ben, 'What was done about the barcode scanner driver of the shop?', work);

    const told = toldBy(await refresh(ada, 'shop'));
    expect(told[0]).toBe(`PINNED ${pinned}`);
    expect(told).toContain(`DECISION ${decision}`);
    expect(told.at(-1)).toBe(`HELPED ${work}`);
    for (const id of [unseen, hidden]) expect(told.join()).not.toContain(id);
    for (const person of [ben, mia, world.reader, world.viewer])
      expect(toldBy(await read(person, 'shop'))).toEqual(told);
    expect((await read(ada, 'shop')).lines.every(({ memory }) => memory.scope === 'PROJECT')).toBe(true);

    await change(ada, ARCHIVE, { id: decision, reason: 'old' });
    expect(toldBy(await read(ben, 'shop')).join()).not.toContain(decision);
  });

  it('answers hidden as missing; who only reads a project has nothing chosen anew, and nobody in an archived one', async () => {
    const before = await lines();
    for (const document of [READ, REFRESH]) {
      const missing = await refusal(world.stranger, document, { project: 'no-such' });
      expect(missing).toContain('NOT_FOUND');
      for (const person of [world.cleo, world.stranger]) expect(await refusal(person, document, SHOP)).toBe(missing);
    }
    for (const person of [world.reader, world.viewer])
      expect(await refusal(person, REFRESH, SHOP)).toContain('FORBIDDEN');
    await world.owner.send('mutation { archiveProject(project: "shop") { id } }');
    expect(await refusal(world.mia, REFRESH, SHOP)).toContain('CONFLICT');
    expect((await read(world.mia, 'shop')).lines.length).toBeGreaterThan(0);
    await world.owner.send('mutation { restoreProject(project: "shop") { id } }');
    expect(await lines()).toEqual(before);
  });

  it('A10: what is erased leaves no line; what is taken back from a project or left behind is told there no more', async () => {
    const { ada, ben } = world;
    const erased = await keep(ada, 'The shop buys its bread at the mill.', { ...SHOP, kind: 'BACKGROUND' });
    const moved = await keep(ben, 'The shop heats with wood.', { ...SHOP, kind: 'BACKGROUND' });
    await refresh(ada, 'shop');
    await refresh(ben);
    expect((await lines()).filter(({ memory_id }) => memory_id === erased)).toHaveLength(1);
    await query(world, 'delete from memory where id = $1', [erased]);
    expect((await lines()).filter(({ memory_id }) => memory_id === erased)).toEqual([]);

    await ben.send(DEMOTE, { input: { memoryId: moved, scope: 'PRIVATE' } });
    for (const person of [ada, ben]) expect(toldBy(await read(person, 'shop')).join()).not.toContain(moved);
    await ben.send(SHARE, { input: { memoryId: moved, scope: 'PROJECT', project: 'shop' } });
    expect(toldBy(await read(ben)).join()).toContain(moved);
    const [was] = await query<{ user_id: string }>(
      world,
      `delete from membership where user_id = (select owner_id from memory where id = $1) returning user_id`,
      [moved],
    );
    expect(toldBy(await read(ben)).join()).not.toContain(moved);

    // A night, which reads no word and asks nobody, comes to the same.
    const { doors } = world.api.database;
    const [tenant] = await query<{ tenant_id: string }>(world, 'select tenant_id from memory where id = $1', [moved]);
    const [tenantId, runDate] = [tenant?.tenant_id ?? '', new Date().toISOString().slice(0, 10)];
    const byNight = (of: 'user' | 'project', id: string): Promise<number> =>
      doors.asWorker(tenantId, (tx) =>
        refreshProfile(tx, { tenantId, subject: { of, id }, runDate, decayRate: 0.01, at: new Date() }),
      );
    const own = (): Promise<object[]> =>
      query(
        world,
        `select 1 from profile_line l join profile p on p.tenant_id = l.tenant_id and p.id = l.profile_id
         where p.user_id is not null and l.memory_id = $1`,
        [moved],
      );
    expect(await own()).toHaveLength(1);
    await byNight('user', was?.user_id ?? '');
    expect(await own()).toEqual([]);
    const told = toldBy(await refresh(ada, 'shop'));
    const [shop] = await query<{ id: string }>(world, `select id from project where slug = 'shop' and tenant_id = $1`, [
      tenantId,
    ]);
    await byNight('project', shop?.id ?? '');
    expect(toldBy(await read(ada, 'shop'))).toEqual(told);
  });
});
