import { createHash, randomUUID } from 'node:crypto';
import {
  type DataExport,
  type ExportKind,
  type ExportFileName,
  findExport,
  insertExport,
  readPart,
} from '@tempera/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportStarter, exportRound } from '../../apps/worker/src/index.js';
import { asSuperuser } from '../support/cluster.js';
import { castVote, makeMemory, makeRetrieval } from '../support/memories.js';
import type { Person } from '../support/people.js';
import { makeTeam, makeWorker, type NightWorld, openNightWorld, type Team } from './support/night-world.js';

interface Line {
  readonly id: string;
  readonly text: string;
  readonly scope: string;
  readonly owner: string;
}

describe('an export', () => {
  let world: NightWorld;
  let team: Team;
  /** More than a page of the project's, with a character that two parts may not share between them. */
  const shared = 120;

  beforeAll(async () => {
    world = await openNightWorld();
    team = await makeTeam(world);
    const { doors } = world.database;
    const { projectId, author, reader, owner } = team;
    for (let n = 0; n < shared; n += 1) {
      const text = n === 0 ? `shared 0 ${'🧵'.repeat(15_000)}` : `shared ${n}`;
      await makeMemory(doors, author, { scope: 'project', projectId, text });
    }
    for (const person of [author, reader, owner])
      await makeMemory(doors, person, { text: `private of ${person.name}` });
    await makeMemory(doors, reader, { scope: 'project', projectId, text: 'of the reader' });
  });
  afterAll(() => world.close());

  const ask = async (who: Person, kind: ExportKind): Promise<string> => {
    const id = randomUUID();
    const { tenantId, userId: requestedBy } = who;
    const projectId = kind === 'project' ? team.projectId : null;
    await world.database.doors.asTenant(who, (tx) => insertExport(tx, { tenantId, id, requestedBy, kind, projectId }));
    return id;
  };

  const shown = (who: Person, id: string): Promise<DataExport | null> =>
    world.database.doors.asTenant(who, (tx) => findExport(tx, who.tenantId, id));

  const readFile = async (who: Person, id: string, file: ExportFileName): Promise<string> => {
    let text = '';
    for (let part = 0; ; part += 1) {
      const { tenantId } = who;
      const content = await world.database.doors.asTenant(who, (tx) => readPart(tx, { tenantId, id }, file, part));
      if (content === null) return text;
      text += content;
    }
  };

  const linesOf = async (who: Person, id: string): Promise<Line[]> =>
    (await readFile(who, id, 'memories.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  /** Does all that was asked for. */
  const work = async (ids: readonly string[], callMs = 30_000): Promise<void> => {
    const { doors } = world.database;
    const taskQueue = randomUUID();
    const start = createExportStarter(world.engine.client, taskQueue);
    const worker = await makeWorker(world, { taskQueue, callMs });
    await worker.runUntil(async () => {
      await exportRound({ doors, start });
      for (const id of ids) {
        await world.engine.client.workflow
          .getHandle(`export:${id}`)
          .result()
          .catch(() => undefined);
      }
    });
  };

  it('of a tenant holds what its asker sees, leaves out what others keep for themselves, and says how much that is', async () => {
    const id = await ask(team.owner, 'tenant');
    // Each call one page, so that the workflow goes through all of them one by one.
    await work([id], 0);
    const done = await shown(team.owner, id);
    expect(done).toMatchObject({ status: 'completed', failure: null, memories: shared + 2 });
    const lines = await linesOf(team.owner, id);
    expect(lines.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['of the reader', `private of ${team.owner.name}`]),
    );
    expect(new Set(lines.map((line) => line.id)).size).toBe(shared + 2);
    expect(lines.filter(({ text }) => text.startsWith('private'))).toHaveLength(1);
    expect(done?.manifest?.leftOut).toEqual({ privateOfOthers: 2, sharedElsewhere: 0 });
    expect(done?.manifest?.files.map(({ name }) => name)).toEqual(['memories.jsonl', 'memories.md', 'revisions.jsonl']);
    for (const { name, sha256, bytes, lines: count } of done?.manifest?.files ?? []) {
      const text = await readFile(team.owner, id, name);
      expect([name, createHash('sha256').update(text).digest('hex')]).toEqual([name, sha256]);
      expect(Buffer.byteLength(text)).toBe(bytes);
      expect(text.split('\n').length - 1).toBe(count);
    }
  });

  it('attack 4.13: of a person equals the own rows, with the own votes and questions, and nothing of others', async () => {
    const { doors } = world.database;
    const { author, reader } = team;
    const [mine] = await doors.asTenant(
      author,
      (tx) => tx.$queryRaw<{ id: string }[]>`select id from memory where owner_id = ${author.userId}::uuid limit 1`,
    );
    const retrievalId = await makeRetrieval(doors, author, [mine?.id ?? '']);
    await castVote(doors, author, mine?.id ?? '', true, { retrievalId });
    const id = await ask(author, 'mine');
    await work([id]);
    const lines = await linesOf(author, id);
    expect(lines).toHaveLength(shared + 1);
    expect(new Set(lines.map(({ owner }) => owner))).toEqual(new Set([author.name]));
    expect(await readFile(author, id, 'votes.jsonl')).toContain(`"memory":"${mine?.id}"`);
    expect(await readFile(author, id, 'questions.jsonl')).toContain(retrievalId);
    expect(await readFile(author, id, 'memories.md')).toContain('🧵'.repeat(15_000));
    for (const stranger of [reader, team.owner]) {
      expect(await shown(stranger, id)).toBeNull();
      expect(await readFile(stranger, id, 'memories.jsonl')).toBe('');
    }
  });

  it('goes on where it was after a page that broke off before its commit, and no page is written twice', async () => {
    const id = await ask(team.owner, 'project');
    const { doors } = world.database;
    const { client } = world.engine;
    const taskQueue = randomUUID();
    const start = createExportStarter(client, taskQueue);
    let pages = 0;
    const breaking: typeof doors.asTenant = (identity, inside) =>
      doors.asTenant(identity, async (tx) => {
        const result = await inside(tx);
        if (++pages === 2) throw new Error('the page broke off');
        return result;
      });
    const worker = await makeWorker(world, { taskQueue, callMs: 0, doors: { asTenant: breaking } });
    await worker.runUntil(async () => {
      await exportRound({ doors, start });
      await client.workflow.getHandle(`export:${id}`).result();
    });
    expect(pages).toBeGreaterThan(2);
    const lines = await linesOf(team.owner, id);
    expect(lines).toHaveLength(shared + 1);
    expect(new Set(lines.map((line) => line.id)).size).toBe(shared + 1);
  });

  it('fails when its asker lost the role, and what was written is read by nobody then', async () => {
    const complete = await ask(team.owner, 'project');
    await work([complete]);
    const waiting = await ask(team.owner, 'tenant');
    await asSuperuser(world.database.adminUrl, async (client) => {
      await client.query(`update app_user set role = 'owner' where id = $1`, [team.reader.userId]);
      await client.query(`update app_user set role = 'member' where id = $1`, [team.owner.userId]);
      await client.query(`delete from membership where user_id = $1`, [team.owner.userId]);
    });
    await work([waiting]);
    expect(await shown(team.owner, complete)).toBeNull();
    expect(await readFile(team.owner, complete, 'memories.jsonl')).toBe('');
    const rows = await asSuperuser(world.database.adminUrl, async (client) =>
      client.query<{ status: string; failure: string }>('select status, failure from data_export where id = $1', [
        waiting,
      ]),
    );
    expect(rows.rows[0]).toEqual({
      status: 'failed',
      failure: 'Whoever asked for this export may not have it any more.',
    });
  });

  it('is removed when its time is over', async () => {
    const { adminUrl, doors } = world.database;
    const count = async (): Promise<number> =>
      asSuperuser(adminUrl, async (client) => {
        const { rows } = await client.query<{ n: number }>('select count(*)::int as n from data_export');
        return rows[0]?.n ?? 0;
      });
    expect(await count()).toBeGreaterThan(0);
    await asSuperuser(adminUrl, (client) => client.query('update data_export set expires_at = now()'));
    for (let round = 0; round < 5; round += 1) await exportRound({ doors, start: () => Promise.resolve() });
    expect(await count()).toBe(0);
  });
});
