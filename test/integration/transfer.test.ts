import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temperaExport } from '../../apps/mcp/src/transfer/formats/tempera-export.js';
import { openInput } from '../../apps/mcp/src/transfer/import-input.js';
import type { ImportItem } from '../../apps/mcp/src/transfer/import-item.js';
import { finish } from '../../apps/worker/src/export/finish-export.js';
import { writePage } from '../../apps/worker/src/export/write-page.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';
import { capture } from './memory-world.js';

const EXPORT = `mutation ($input: ExportDataInput!) { exportData(input: $input) { id status } }`;
const SHOWN = `query ($id: ID!) { dataExport(id: $id) { status memories manifest files { name parts } } }`;
const PART = `query ($id: ID!, $file: String!, $part: Int!) { exportPart(id: $id, file: $file, part: $part) }`;
const IMPORT = `mutation ($input: ImportInput!) { importMemories(input: $input) {
  kept merged known refused items { sourceId status memoryId code message notes } } }`;

interface Report {
  readonly kept: number;
  readonly merged: number;
  readonly known: number;
  readonly refused: number;
  readonly items: readonly {
    sourceId: string;
    status: string;
    memoryId: string | null;
    code: string | null;
    notes: string[];
  }[];
}

/** What of a line must come through; ids and what the importer is are another's. */
interface Line {
  readonly id: string;
  readonly text: string;
  readonly supersededBy: string | null;
  readonly session: { readonly id: string } | null;
  readonly [field: string]: unknown;
}
const CARRIED = [
  ...['kind', 'scope', 'project', 'title', 'text', 'taskType', 'outcome', 'tags', 'filesModified', 'errorsResolved'],
  ...[
    'alternatives',
    'validity',
    'verification',
    'pinned',
    'expiresAt',
    'state',
    'stateReason',
    'validFrom',
    'validTo',
  ],
  ...['startedAt', 'endedAt'],
];

describe('memories that leave and come back', () => {
  let api: TestApi;
  let folder: string;
  let [from, to]: GraphQLClient[] = [];

  beforeAll(async () => {
    api = await startTestApi();
    folder = await mkdtemp(join(tmpdir(), 'tempera-transfer-'));
    const operator = await api.operator();
    [from, to] = [await createTenant(operator, 'From'), await createTenant(operator, 'To')];
    for (const owner of [from, to])
      await owner.send('mutation { createProject(input: { slug: "shop", name: "Shop" }) { id } }');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await api.close();
  });

  const client = (one: GraphQLClient | undefined): GraphQLClient => {
    if (one === undefined) throw new Error('no client');
    return one;
  };

  /** Asks for an export by GraphQL, writes it as the worker does, and fetches its lines by GraphQL. */
  const exported = async (
    who: GraphQLClient,
    input: object,
  ): Promise<{ text: string; lines: Line[]; manifest: string }> => {
    const { exportData } = await who.send<{ exportData: { id: string } }>(EXPORT, { input });
    const { me } = await who.send<{ me: { user: { id: string }; tenant: { id: string } } }>(
      '{ me { user { id } tenant { id } } }',
    );
    const ref = { tenantId: me.tenant.id, userId: me.user.id, exportId: exportData.id };
    const { doors } = api.database;
    while (await writePage(doors, ref));
    await finish({ doors, now: () => new Date() }, ref, () => undefined);
    const { dataExport } = await who.send<{
      dataExport: { status: string; manifest: string; files: { name: string; parts: number }[] };
    }>(SHOWN, { id: exportData.id });
    expect(dataExport.status).toBe('COMPLETED');
    let text = '';
    const parts = dataExport.files.find(({ name }) => name === 'memories.jsonl')?.parts ?? 0;
    for (let part = 0; part < parts; part += 1) {
      const variables = { id: exportData.id, file: 'memories.jsonl', part };
      text += (await who.send<{ exportPart: string }>(PART, variables)).exportPart;
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    return { text, lines, manifest: dataExport.manifest };
  };

  const take = async (
    who: GraphQLClient,
    origin: string,
    items: readonly ImportItem[],
    execute: boolean,
  ): Promise<Report> =>
    (await who.send<{ importMemories: Report }>(IMPORT, { input: { origin, items, execute } })).importMemories;

  const memoriesOf = async (who: GraphQLClient): Promise<number> =>
    (
      await who.send<{ memories: { totalCount: number } }>(
        '{ memories(first: 1, filter: { state: null }) { totalCount } }',
      )
    ).memories.totalCount;

  /** What comes through, by text, with ids in the words of the memories they name. */
  const told = (lines: readonly Line[]): object[] => {
    const named = new Map(lines.map((line) => [line.id, line.text]));
    const mates = (line: Line): string[] =>
      lines
        .filter(({ session }) => session !== null && session.id === line.session?.id)
        .map(({ text }) => text)
        .sort();
    return lines
      .map((line) => ({
        ...Object.fromEntries(CARRIED.map((field) => [field, line[field]])),
        supersededBy: line.supersededBy === null ? null : named.get(line.supersededBy),
        mates: mates(line),
      }))
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  };

  it('are the same after export, import into an empty tenant and export: and a second import adds nothing', async () => {
    const owner = client(from);
    const at = (day: number): string => `2026-03-0${day}T10:00:00.000Z`;
    await capture(owner, {
      ...{
        text: 'The export job failed on empty carts; a guard fixed it.\nSecond line.',
        title: 'Empty carts',
        kind: 'EPISODE',
      },
      ...{
        project: 'shop',
        taskType: 'BUGFIX',
        outcome: 'SUCCESS',
        tags: ['cart', 'export'],
        filesModified: ['src/cart.ts'],
      },
      errorsResolved: [{ error: 'TypeError: cart is undefined', resolution: 'Guard against empty carts' }],
      alternatives: [{ approach: 'Skip the job', whyNot: 'Reports would lack a day', revisitIf: 'reports go' }],
      ...{
        validity: 'DEPENDENCY',
        verification: 'TESTS_PASS',
        pinned: true,
        startedAt: at(1),
        occurredAt: at(2),
        sessionKey: 's1',
      },
    });
    await capture(owner, {
      text: 'Carts are kept for thirty days. 🧵',
      project: 'shop',
      occurredAt: at(3),
      sessionKey: 's1',
    });
    await capture(owner, {
      text: 'I like short answers.',
      kind: 'PREFERENCE',
      scope: 'PRIVATE',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    const old = await capture(owner, {
      text: 'We deploy on Fridays.',
      kind: 'DECISION',
      project: 'shop',
      occurredAt: at(4),
      merge: 'NEVER',
    });
    await capture(owner, {
      ...{
        text: 'Deployments happen on Mondays from now on, not at the end of a week.',
        kind: 'DECISION',
        project: 'shop',
      },
      ...{ occurredAt: at(5), supersedes: old.memory.id },
    });
    const shelved = await capture(owner, {
      text: 'The beta flag is called blue-lamp.',
      project: 'shop',
      occurredAt: at(6),
    });
    await owner.send(`mutation { archiveMemory(id: "${shelved.memory.id}", reason: "The beta is over") { id } }`);
    const gone = await capture(owner, { text: 'A word too many.', scope: 'PRIVATE' });
    await owner.send(`mutation { forgetMemory(id: "${gone.memory.id}") { id } }`);

    const first = await exported(owner, { kind: 'MINE' });
    expect(first.lines).toHaveLength(7);
    await writeFile(join(folder, 'memories.jsonl'), first.text);
    await writeFile(join(folder, 'manifest.json'), first.manifest);
    const { items, skipped } = await temperaExport.parse(await openInput(folder));
    expect(skipped).toEqual([{ sourceId: gone.memory.id, reason: 'It was forgotten where it comes from.' }]);

    const heir = client(to);
    const dry = await take(heir, 'tempera', items, false);
    expect([dry.kept, dry.merged, dry.known, dry.refused]).toEqual([6, 0, 0, 0]);
    expect(await memoriesOf(heir)).toBe(0);
    // The newer of the two decisions comes first: which gives way does not hang on the order.
    const taken = await take(heir, 'tempera', [...items].reverse(), true);
    expect(taken.items.filter(({ status }) => status !== 'KEPT')).toEqual([]);
    const again = await take(heir, 'tempera', items, true);
    expect([again.kept, again.merged, again.known, again.refused]).toEqual([0, 0, 6, 0]);

    const second = await exported(heir, { kind: 'TENANT' });
    const staying = first.lines.filter(({ id }) => id !== gone.memory.id);
    expect(told(second.lines)).toEqual(told(staying));
    // Back into where it came from it is known, though nothing was ever imported there.
    const home = await take(owner, 'tempera', items, true);
    expect([home.kept, home.known]).toEqual([0, 6]);
  });

  it('are taken in item by item: kept, merged with what one has, known, or refused with the reason', async () => {
    const heir = client(to);
    const before = await memoriesOf(heir);
    await capture(heir, { text: 'The staging database is reset every night.', scope: 'PRIVATE' });
    const items: ImportItem[] = [
      { sourceId: '1', memory: { text: 'Feature flags live in the table `flag`.', scope: 'PRIVATE' } },
      {
        sourceId: '2',
        memory: { text: 'The staging database is reset every night.', scope: 'PRIVATE', tags: ['staging'] },
      },
      { sourceId: '3', memory: { text: 'Of a project that is not there.', scope: 'PROJECT', project: 'nowhere' } },
      { sourceId: '4', memory: { text: ' ' } },
      { sourceId: '5', memory: { text: 'Forgotten elsewhere.' }, state: 'FORGOTTEN' },
    ];
    const statuses = (report: Report): string[] =>
      report.items.map(({ status, code }) => (code === null ? status : `${status} ${code}`));
    const expected = ['KEPT', 'MERGED', 'REFUSED NOT_FOUND', 'REFUSED BAD_USER_INPUT', 'REFUSED BAD_USER_INPUT'];
    expect(statuses(await take(heir, 'notes', items, false))).toEqual(expected);
    expect(await memoriesOf(heir)).toBe(before + 1);
    expect(statuses(await take(heir, 'notes', items, true))).toEqual(expected);
    expect(statuses(await take(heir, 'notes', items, true))).toEqual(['KNOWN', 'KNOWN', ...expected.slice(2)]);
    expect(await memoriesOf(heir)).toBe(before + 2);
    // Two of the same at once are one.
    const twice = {
      sourceId: '6',
      memory: { text: 'Backups are copied to another region.', scope: 'PRIVATE', merge: 'NEVER' as const },
    };
    const both = await Promise.all([take(heir, 'notes', [twice], true), take(heir, 'notes', [twice], true)]);
    expect(both.map((report) => report.items[0]?.status).sort()).toEqual(['KEPT', 'KNOWN']);
    expect(both[0]?.items[0]?.memoryId).toBe(both[1]?.items[0]?.memoryId);
    // What says something else by now is taken again; the same name from elsewhere is another thing.
    const changed = { ...twice, memory: { ...twice.memory, text: 'Invoices are numbered without gaps.' } };
    expect((await take(heir, 'notes', [changed], true)).items[0]?.status).toBe('KEPT');
    expect((await take(heir, 'other', [items[0] ?? twice], true)).items[0]?.status).toBe('MERGED');
  });

  it('are one person’s alone: what somebody imported is neither known nor shown to another', async () => {
    const mia = await invite(client(to), { displayName: 'Mia' });
    const item = { sourceId: '1', memory: { text: 'Feature flags live in the table `flag`.', scope: 'PRIVATE' } };
    const report = await take(mia, 'notes', [item], true);
    expect(report.items[0]?.status).toBe('KEPT');
    await expect(take(mia, '', [item], true)).rejects.toThrow();
    const { exportData } = await mia.send<{ exportData: { id: string } }>(EXPORT, { input: { kind: 'MINE' } });
    for (const kind of ['TENANT', 'PROJECT'])
      await expect(
        mia.send(EXPORT, { input: { kind, project: kind === 'PROJECT' ? 'shop' : null } }),
      ).rejects.toThrow();
    await expect(client(to).send(SHOWN, { id: exportData.id })).rejects.toThrow('No such export.');
    await expect(mia.send(PART, { id: exportData.id, file: 'memories.jsonl', part: 0 })).rejects.toThrow(
      'No such export.',
    );
  });
});
