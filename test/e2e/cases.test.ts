import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { type Developer, startDeveloper } from '../support/developer.js';
import { createTenant, type GraphQLClient, invitationCode, logIn } from '../support/graphql-client.js';

const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }';
const LIST = `query ($filter: MemoryFilter) { memories(first: 100, filter: $filter) {
  totalCount nodes { id state mergedInto text title } } }`;

interface Listed {
  readonly id: string;
  readonly mergedInto: string | null;
  readonly text: string;
  readonly title: string;
}

/** Complaints about other products (test/cases.json) that people meet at their agent and their terminal. */
describe('what other products do wrong, by agent and command line', () => {
  let folder: string;
  let api: TestApi;
  let owner: GraphQLClient;
  let olga: Developer;
  let ana: Developer;
  let ben: Developer;

  const deskOf = async (name: string, client: GraphQLClient, project: string): Promise<Developer> => {
    const { createLoginCode } = await client.send<{ createLoginCode: { code: string } }>(
      'mutation { createLoginCode { code } }',
    );
    return startDeveloper({ name, folder, server: api.url, code: createLoginCode.code, project });
  };
  const invited = async (name: string): Promise<Developer> => {
    const invitation = { displayName: name, project: 'shop', projectRole: 'CONTRIBUTOR' };
    return deskOf(name, await logIn(api.url, await invitationCode(owner, invitation)), 'shop');
  };
  const keep = async (text: string): Promise<string> => {
    const input = { text, project: 'shop', merge: 'NEVER', sessionKey: randomUUID() };
    return (await owner.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input })).capture.memory.id;
  };
  const list = async (state: string): Promise<Listed[]> =>
    (await owner.send<{ memories: { nodes: Listed[] } }>(LIST, { filter: { project: 'shop', state } })).memories.nodes;
  const json = async (by: Developer, words: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await by.run([...words, '--json'])) as Record<string, unknown>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tempera-cases-'));
    api = await startTestApi();
    owner = await createTenant(await api.operator(), 'Acme');
    await owner.send('mutation { createProject(input: { slug: "shop", name: "Shop" }) { id } }');
    olga = await deskOf('Olga', owner, 'shop');
    [ana, ben] = [await invited('Ana'), await invited('Ben')];
  }, 180_000);
  afterAll(async () => {
    for (const developer of [olga, ana, ben]) await developer?.close();
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('A7: twenty facts that go into four leave four, in lists and in the quota, and twenty that name what they went into', async () => {
    const subjects = [
      'The invoices of the shop are printed by the basement printer',
      'Backups of the catalogue are copied to the second data centre',
      'The search index is rebuilt by the nightly batch job',
      'Customers sign in through the portal of the identity provider',
    ];
    const endings = ['', '.', '!', '…', '!!', '...'];
    for (const subject of subjects) for (const ending of endings) await keep(`${subject}${ending}`);
    const dry = await olga.call('tempera_review', { action: 'consolidate' });
    expect(dry.isError, dry.text).toBe(false);
    expect(await list('ACTIVE')).toHaveLength(24);
    const done = await olga.call('tempera_review', { action: 'consolidate', execute: true });
    expect(done.isError, done.text).toBe(false);
    const [active, archived] = [await list('ACTIVE'), await list('ARCHIVED')];
    expect([active.length, archived.length]).toEqual([4, 20]);
    for (const { text, mergedInto } of archived) {
      const subject = subjects.find((each) => text.startsWith(each)) ?? 'none';
      expect(active.find(({ id }) => id === mergedInto)?.text.startsWith(subject)).toBe(true);
    }
    expect(await json(olga, ['usage'])).toMatchObject({ tenant: { memories: 4 }, projects: [{ memories: 4 }] });
  });

  it('A8: one fact that two people saved six times is one, with six proofs and both their names; taken back it is two again', async () => {
    const fact = 'The payment gateway rejects cards that have no postal code';
    const save = async (by: Developer, text: string): Promise<string> => {
      const answer = await by.call('tempera_capture', { summary: text, session_id: randomUUID() });
      expect(answer.isError, answer.text).toBe(false);
      return String(answer.data['id']);
    };
    for (const by of [ana, ben]) for (let n = 0; n < 2; n += 1) await save(by, `${fact}.`);
    const saved = new Set<string>();
    for (const by of [ana, ben]) {
      const line = ['capture', '--text', `${fact}.`, '--session', randomUUID()];
      saved.add(String((await json(by, line))['id']));
    }
    expect(saved.size).toBe(2);
    const merged = await json(olga, ['consolidate', '--across-authors', '--execute']);
    const told = await ana.call('tempera_retrieve', { query: fact });
    const hits = (told.data['hits'] as { id: string }[]).filter(({ id }) => saved.has(id));
    expect(hits).toHaveLength(1);
    expect(told.text).toContain('captured 6 times');
    const [{ id } = { id: '' }] = hits;
    for (const text of [(await ben.call('tempera_retrieve', { query: id })).text, await ben.run(['retrieve', id])]) {
      expect(text).toContain('Captured by Ana, Ben');
    }
    // Once more from a session of its own: seven; from one that is counted already: seven still.
    const session = randomUUID();
    const author = [...saved][0] === id ? ana : ben;
    for (let n = 0; n < 2; n += 1) await author.call('tempera_capture', { summary: `${fact}.`, session_id: session });
    const proofs = async (): Promise<number> =>
      (
        await owner.send<{ memory: { proofCount: number } }>('query ($id: ID!) { memory(id: $id) { proofCount } }', {
          id,
        })
      ).memory.proofCount;
    expect(await proofs()).toBe(7);
    await olga.run(['undo', String((merged['runIds'] as string[])[0])]);
    expect(await proofs()).toBe(4);
    expect((await list('ACTIVE')).filter((one) => saved.has(one.id))).toHaveLength(2);
  });

  it('F6: what is forgotten by agent, command line or GraphQL is gone from search at once, and comes back for thirty days', async () => {
    const question = 'Which door code does the warehouse in Leipzig have?';
    const id = await keep('The warehouse in Leipzig has the door code of the old building.');
    const found = async (by: Developer): Promise<boolean> =>
      ((await by.call('tempera_retrieve', { query: question })).data['hits'] as { id: string }[]).some(
        (hit) => hit.id === id,
      );
    const ways: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'tempera_manage',
        () => olga.call('tempera_manage', { action: 'forget', id }),
        () => olga.call('tempera_manage', { action: 'restore', id: id.slice(0, 8) }),
      ],
      ['tempera forget', () => olga.run(['forget', id.slice(0, 8)]), () => olga.run(['restore', id])],
      [
        'GraphQL',
        () => owner.send('mutation ($id: ID!) { forgetMemory(id: $id) { id } }', { id }),
        () => owner.send('mutation ($id: ID!) { restoreMemory(id: $id) { id } }', { id }),
      ],
    ];
    for (const [way, forget, restore] of ways) {
      expect([way, await found(ana), await found(olga)]).toEqual([way, true, true]);
      await forget();
      expect([way, await found(ana), await found(olga)]).toEqual([way, false, false]);
      await ben.run(['retrieve', id], { exitCode: 4 });
      await restore();
    }
    expect(await found(ana)).toBe(true);
  });

  it('G3: what was merged speaks the language that its sources spoke', async () => {
    const texts = ['。', '！', '……'].map((ending) => `仓库的标签打印机需要厂商的驱动程序${ending}`);
    const ids: string[] = [];
    for (const text of texts) ids.push(await keep(text));
    const done = await olga.call('tempera_review', { action: 'consolidate', execute: true });
    expect(done.isError, done.text).toBe(false);
    const left = (await list('ACTIVE')).filter(({ id }) => ids.includes(id));
    expect(left).toHaveLength(1);
    expect(texts).toContain(left[0]?.text);
    expect(`${left[0]?.title}${left[0]?.text}`).not.toMatch(/[a-z]/i);
    const { hits } = (await olga.call('tempera_retrieve', { query: '标签打印机需要什么？' })).data as {
      hits: { id: string; content: string }[];
    };
    expect(hits.find(({ id }) => id === left[0]?.id)?.content).toContain('厂商的驱动程序');
  });
});
