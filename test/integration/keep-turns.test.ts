import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { type EditWorld, openEditWorld } from './edit-world.js';
import { tracesIn } from './upkeep-world.js';

const KEEP = `mutation ($turns: [TurnInput!]!) { keepTurns(input: { turns: $turns }) {
  kept { key isNew conversationId redactions { type count } } refused { key code message } } }`;
const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');

interface KeptTurns {
  readonly kept: { key: string; isNew: boolean; conversationId: string; redactions: { type: string }[] }[];
  readonly refused: { key: string; code: string; message: string }[];
}
type Turn = Readonly<Record<string, unknown>>;

let world: EditWorld;
let ada: GraphQLClient;
beforeAll(async () => {
  world = await openEditWorld();
  ({ ada } = world);
});
afterAll(() => world.close());

const turn = (key: string, more: Turn = {}): Turn => ({
  ...{ key, sessionKey: 's-1', promptKey: key, at: '2026-03-02T09:00:00Z', prompt: 'Why?', answer: 'Because.' },
  ...{ tools: [], client: 'claude-code', ...more },
});
const keep = async (by: GraphQLClient, ...turns: Turn[]): Promise<KeptTurns> =>
  (await by.send<{ keepTurns: KeptTurns }>(KEEP, { turns })).keepTurns;
const query = <Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, [...values])).rows);
const turnsOf = (session: string): Promise<{ prompt: string; answer: string; project: string | null }[]> =>
  query(
    `select t.prompt, t.answer, p.slug as project from turn t join conversation c on c.id = t.conversation_id
       left join project p on p.id = c.project_id where t.session_key = $1 order by t.at, t.prompt`,
    [session],
  );

describe('turns that are kept', () => {
  it('are kept once for each key and prompt, the fuller version in place of the other, each with a promise to draw from them', async () => {
    const first = turn('k-1', { project: 'shop', sessionKey: 'once', promptKey: 'p' });
    const { kept } = await keep(ada, first, first);
    expect(kept.map(({ isNew }) => isNew)).toEqual([true, false]);
    const fuller = { ...first, key: 'k-2', answer: 'Because the tests say so.' };
    const again = await keep(
      ada,
      fuller,
      { ...first, key: 'k-3', answer: 'No.' },
      { ...first, answer: 'x'.repeat(99) },
    );
    expect(again.kept.map(({ isNew, conversationId }) => [isNew, conversationId])).toEqual(
      Array.from({ length: 3 }, () => [false, kept[0]?.conversationId]),
    );
    expect(await turnsOf('once')).toEqual([{ prompt: 'Why?', answer: 'Because the tests say so.', project: 'shop' }]);
    await Promise.all(Array.from({ length: 5 }, (_, n) => keep(ada, { ...fuller, key: `r-${n}` })));
    const later = turn('k-4', { project: 'shop', sessionKey: 'once', at: '2026-03-02T08:00:00Z', prompt: 'Before.' });
    await keep(ada, later);
    expect((await turnsOf('once')).map(({ prompt }) => prompt)).toEqual(['Before.', 'Why?']);
    const [conversation] = await query<object>(
      `select turns, started_at, last_turn_at, distilled_turns,
         (select count(*)::int from outbox o where o.kind = 'distil' and o.subject_id = c.id) as promises
       from conversation c where session_key = 'once'`,
    );
    expect(conversation).toEqual({
      ...{ turns: 2, distilled_turns: 0, promises: 3 },
      ...{ started_at: new Date('2026-03-02T08:00:00Z'), last_turn_at: new Date('2026-03-02T09:00:00Z') },
    });
  });

  it('hold no secret in any of their texts, and tell which were taken out; long texts of tools are cut', async () => {
    const tool = { name: `Bash ${SECRET}`, file: SECRET, command: `x ${SECRET} ${'y'.repeat(2_000)}`, error: SECRET };
    const said = { prompt: `Use ${SECRET}`, answer: `I used ${SECRET}`, branch: SECRET };
    const { kept } = await keep(ada, turn('k-secret', { ...said, tools: [{ ...tool, resolution: SECRET }] }));
    expect(kept[0]?.redactions).toEqual([{ type: 'github-pat', count: 8 }]);
    expect(await tracesIn(world, [SECRET])).toEqual([]);
    const [row] = await query<{ tools: { command: string }[] }>(`select tools from turn where prompt_key = 'k-secret'`);
    expect(row?.tools[0]?.command).toMatch(/^x \[REDACTED:github-pat\] y+$/);
    expect(row?.tools[0]?.command).toHaveLength(1_000);
    await expect(keep(ada, turn(SECRET))).rejects.toThrow(/`key` holds a secret/);
  });

  it('are refused one by one for what is wrong with each, in the words of a project that is not there for a hidden one', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "vault", name: "Vault" }) { id } }');
    const faulty = [
      turn('empty', { prompt: ' ', answer: '' }),
      turn('long', { prompt: 'é'.repeat(32_769) }),
      turn('ahead', { at: '2999-01-01T00:00:00Z' }),
      turn('many', { tools: Array.from({ length: 101 }, () => ({ name: 'Read' })) }),
      turn('lines', { branch: 'a\nb' }),
      turn('hidden', { project: 'vault' }),
      turn('missing', { project: 'nowhere' }),
    ];
    const { kept, refused } = await keep(ada, ...faulty, turn('good', { sessionKey: 'partly' }));
    expect(kept.map(({ key }) => key)).toEqual(['good']);
    expect(refused.map(({ key, code }) => `${key} ${code}`)).toEqual([
      ...['empty', 'long', 'ahead', 'many', 'lines'].map((key) => `${key} BAD_USER_INPUT`),
      ...['hidden NOT_FOUND', 'missing NOT_FOUND'],
    ]);
    expect(refused[5]?.message).toBe(refused[6]?.message);
    for (const turns of [[], Array.from({ length: 51 }, (_, n) => turn(`n-${n}`))])
      await expect(keep(ada, ...turns)).rejects.toThrow(/`turns`/);
    for (const text of ['a\u0000b', 'a\ud800b'])
      await expect(keep(ada, turn('unstorable', { prompt: text }))).rejects.toThrow(/NUL|surrogate/);
  });

  it('of who only reads, and of an archived project, belong to no project; a session about two is two conversations', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "attic", name: "Attic" }) { id } }');
    const { kept } = await keep(
      world.owner,
      turn('in', { project: 'attic', sessionKey: 'two' }),
      turn('out', { sessionKey: 'two' }),
    );
    expect(new Set(kept.map(({ conversationId }) => conversationId)).size).toBe(2);
    await world.owner.send('mutation { archiveProject(project: "attic") { id } }');
    await keep(world.owner, turn('late', { project: 'attic', sessionKey: 'archived' }));
    expect((await turnsOf('archived')).map(({ project }) => project)).toEqual([null]);
    await query(
      `update membership set role = 'reader' where user_id = (select id from app_user where display_name = 'Ben')`,
    );
    await keep(world.ben, turn('read', { project: 'shop', sessionKey: 'reading' }));
    expect((await turnsOf('reading')).map(({ project }) => project)).toEqual([null]);
  });

  it('count in bytes against the quota until they are purged after the days that the tenant set', async () => {
    const bytes = async (): Promise<number> => {
      const [row] = await query<{ bytes: number }>(
        `select u.bytes::int from usage u join tenant t on t.id = u.tenant_id where t.name = 'Acme'`,
      );
      return row?.bytes ?? -1;
    };
    const before = await bytes();
    await keep(ada, turn('weighed', { sessionKey: 'weighed', prompt: 'a'.repeat(1_000), answer: 'b'.repeat(500) }));
    expect((await bytes()) - before).toBe(1_502);
    await keep(ada, turn('heavier', { sessionKey: 'weighed', promptKey: 'weighed', prompt: 'a'.repeat(2_000) }));
    expect((await bytes()) - before).toBe(2_010);
    const aged = (days: number): Promise<object[]> =>
      query(`update turn set kept_at = now() - make_interval(days => $1) where session_key = 'weighed'`, [days]);
    const purge = async (kind: string): Promise<number> => {
      const [tenant] = await query<{ id: string }>(`select id from tenant where name = 'Acme'`);
      return world.api.database.doors.asWorker(tenant?.id ?? '', async (tx) => {
        const [row] = await tx.$queryRaw<{ count: number }[]>`select purge_rows(${kind}, 100, false) as count`;
        return row?.count ?? -1;
      });
    };
    await aged(29);
    expect(await purge('turns')).toBe(0);
    await world.owner.send('mutation { setSetting(input: { key: "storage.turn_keep_days", value: "7" }) { value } }');
    expect(await purge('turns')).toBe(1);
    expect(await bytes()).toBe(before);
    expect(await purge('conversations')).toBe(0);
    await query(`update conversation set changed_at = now() - interval '31 days' where session_key = 'weighed'`);
    expect(await purge('conversations')).toBe(1);
  });
});
