import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import {
  change,
  edit,
  type EditWorld,
  FORGET,
  openEditWorld,
  read,
  REFUTE,
  refusedWith,
  RESTORE,
} from './edit-world.js';
import { capture, type CapturedView } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

const share = async (person: GraphQLClient, text: string, more: object = {}): Promise<string> =>
  (await capture(person, { text, project: 'shop', merge: 'NEVER', ...more })).memory.id;
const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<Row>(sql, values)).rows);
const stateOf = async (id: string): Promise<string> => (await read(world.ada, id)).state;
const RESOLVE = `mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) {
  resolution runId first { id mergedInto } second { id mergedInto } } }`;
interface Resolved {
  readonly resolution: string | null;
  readonly runId: string | null;
  readonly first: { readonly mergedInto: string | null };
}
const resolve = async (person: GraphQLClient, input: object): Promise<Resolved> =>
  (await person.send<{ resolveConflict: Resolved }>(RESOLVE, { input })).resolveConflict;
const contradiction = async (what: string): Promise<{ readonly first: string; readonly second: string }> => ({
  first: await share(world.ada, `The ${what} is served by 3 machines.`),
  second: await share(world.ben, `The ${what} is served by 5 machines.`),
});

describe('a verdict', () => {
  it('of a maintainer is taken back by a maintainer alone, also past being forgotten; one’s own by who gave it', async () => {
    const id = await share(world.ada, 'The dovecot relay drops mails at night.');
    const by = await share(world.mia, 'The dovecot relay drops mails of the batch user.');
    await change(world.mia, REFUTE, { id, by, reason: 'seen by day' });
    expect(await refusedWith(change(world.ada, RESTORE, { id }))).toBe('FORBIDDEN maintainers-restore');
    await change(world.ada, FORGET, { id });
    expect(await change(world.ada, RESTORE, { id })).toMatchObject({ state: 'REFUTED', stateReason: 'seen by day' });
    expect(await refusedWith(change(world.ada, RESTORE, { id }))).toBe('FORBIDDEN maintainers-restore');
    expect((await change(world.mia, RESTORE, { id })).state).toBe('ACTIVE');
    await change(world.ada, REFUTE, { id });
    expect((await change(world.ada, RESTORE, { id })).state).toBe('ACTIVE');
  });

  it('keeps its proof and reason: another one waits until it is taken back', async () => {
    const id = await share(world.ada, 'The ferry timetable is cached for a week.');
    const by = await share(world.ada, 'The ferry timetable is read each time.');
    const given = { id, by, reason: 'read the code' };
    await change(world.mia, REFUTE, given);
    for (const other of [{ id }, { id, reason: 'no' }, { id, by, reason: 'no' }]) {
      expect(await refusedWith(change(world.mia, REFUTE, other))).toBe('CONFLICT not-active');
    }
    expect(await change(world.mia, REFUTE, given)).toMatchObject({ state: 'REFUTED', stateReason: given.reason });
    expect(await query('select refuted_by from memory where id = $1', [id])).toEqual([{ refuted_by: by }]);
  });

  it('is shown by what all see who see the memory', async () => {
    const id = await share(world.ada, 'The kiosk prints receipts twice.');
    const own = await share(world.ada, 'The kiosk prints once, I think.', { scope: 'PRIVATE' });
    expect(await refusedWith(change(world.ada, REFUTE, { id, by: own }))).toBe('CONFLICT other-audience');
    expect(await stateOf(id)).toBe('ACTIVE');
    const note = await share(world.ada, 'The kiosk is slow, I think.', { scope: 'PRIVATE' });
    expect((await change(world.ada, REFUTE, { id: note, by: id })).state).toBe('REFUTED');
  });

  it('asked for of two by each other at once falls on one', async () => {
    for (const n of [1, 2, 3]) {
      const one = await share(world.ada, `Tide table ${n} is right.`);
      const other = await share(world.ada, `Tide table ${n} is wrong.`);
      const said = await Promise.all([
        refusedWith(change(world.mia, REFUTE, { id: one, by: other })),
        refusedWith(change(world.mia, REFUTE, { id: other, by: one })),
      ]);
      expect(said.sort()).toEqual(['CONFLICT not-active', 'let through']);
    }
  });
});

describe('what a merge of a conflict put away', () => {
  it('comes back by undoing alone, for its author too, and all of it', async () => {
    const { first, second } = await contradiction('mail gate');
    const input = { first, second, resolution: 'MERGE', text: 'The mail gate is served by 3 to 5 machines.' };
    const made = (await resolve(world.mia, input)).first.mergedInto ?? '';
    expect(await refusedWith(change(world.ada, RESTORE, { id: first }))).toBe('FORBIDDEN maintainers-restore');
    // A maintainer takes one out; the conflict is then reopened as a whole.
    await change(world.mia, RESTORE, { id: first });
    expect(await resolve(world.mia, { first, second, resolution: 'REOPEN' })).toMatchObject({ resolution: null });
    expect([await stateOf(first), await stateOf(second), await stateOf(made)]).toEqual([
      'ACTIVE',
      'ACTIVE',
      'ARCHIVED',
    ]);
    expect(await resolve(world.mia, { first, second, resolution: 'REOPEN' })).toMatchObject({ resolution: null });
  });

  it('is not reopened where one of the two was put away besides', async () => {
    const { first, second } = await contradiction('web gate');
    await resolve(world.mia, { first, second, resolution: 'MERGE' });
    await world.mia.send('mutation ($id: ID!) { archiveMemory(id: $id) { id } }', { id: second });
    expect(await refusedWith(resolve(world.mia, { first, second, resolution: 'REOPEN' }))).toBe('CONFLICT not-active');
    expect(await query('select merged_into from memory where id = $1', [first])).toEqual([{ merged_into: second }]);
  });

  it('is merged once: the same words again change nothing, others are refused', async () => {
    const { first, second } = await contradiction('ftp gate');
    const input = { first, second, resolution: 'MERGE', text: 'The ftp gate is served by 4 machines.' };
    const merged = await resolve(world.mia, input);
    expect(await resolve(world.mia, input)).toEqual(merged);
    for (const text of ['The ftp gate is gone.', null]) {
      expect(await refusedWith(resolve(world.mia, { ...input, text }))).toBe('CONFLICT conflict-decided');
    }
    const made = merged.first.mergedInto ?? '';
    await edit(world.mia, made, 1, { text: 'The ftp gate is served by 4 new machines.', tags: ['gate'] });
    expect(await resolve(world.mia, input)).toEqual(merged);
    // Edited or not, what was made for the merge goes with it.
    await world.mia.send('mutation ($id: ID!) { undo(id: $id) { restoredIds } }', { id: merged.runId });
    expect([await stateOf(first), await stateOf(second), await stateOf(made)]).toEqual([
      'ACTIVE',
      'ACTIVE',
      'ARCHIVED',
    ]);
  });
});

describe('what was refuted', () => {
  it('is known in other marks and case, and told to who says something like it; what means another thing is new', async () => {
    const id = await share(world.ada, 'The bell rings at noon, and the quota is 5 Mb.');
    await change(world.mia, REFUTE, { id, reason: 'it was taken down' });
    for (const text of [
      'The bell rings at noon and the quota is 5 Mb',
      'THE bell rings at noon; and the quota is 5 Mb!',
    ]) {
      const again = await capture(world.ben, { text, project: 'shop' });
      expect(again).toMatchObject({ status: 'REPEATED', memory: { id } });
    }
    for (const text of [
      'The bell rings at noon, and the quota is 5 MB.',
      'The bell does ring at noon; the quota is 5 Mb.',
    ]) {
      const near = await capture(world.ben, { text, project: 'shop' });
      expect(near.status).toBe('CREATED');
      expect(near.near[0]).toMatchObject({ memory: { id }, differences: ['refuted: it was taken down'] });
      const links = await query('select from link where $1 in (from_id, to_id) and $2 in (from_id, to_id)', [
        ...[id, near.memory.id],
      ]);
      expect(links).toEqual([]);
    }
  });
});

describe('what was captured again', () => {
  it('overwrites no words of somebody else', async () => {
    const prompt = { project: 'shop', sessionKey: 'heron', promptKey: '1' };
    const text = 'The heron pump must be primed by hand before it starts.';
    const { id } = (await capture(world.ben, { ...prompt, text })).memory;
    const edited = 'The heron pump must be primed by hand before each of its starts.';
    await edit(world.mia, id, 1, { text: edited });
    const again = await capture(world.ben, { ...prompt, text: 'Prime the heron pump by hand before you start it.' });
    expect(again).toMatchObject({ status: 'CREATED', near: [{ memory: { id } }] });
    expect((await read(world.ben, id)).text).toBe(edited);
  });

  it('and retires another is the memory that says so already', async () => {
    const text = 'The quay lights are switched at dusk.';
    const kind = { kind: 'DECISION' };
    const older = await share(world.ada, 'The quay lights are switched at eight.', kind);
    const id = await share(world.ada, text, kind);
    const again: CapturedView = await capture(world.ada, { text, project: 'shop', ...kind, supersedes: older });
    expect(again.memory.id).toBe(id);
    expect(await query('select superseded_by from memory where id = $1', [older])).toEqual([{ superseded_by: id }]);
  });
});

describe('where the project reviews', () => {
  it('a contributor says of nothing that was reviewed that it is false, nor takes that back', async () => {
    const [id, refuted, own] = [
      await share(world.ada, 'The ledger closes at six.'),
      await share(world.ada, 'The ledger closes at seven.'),
      await share(world.ada, 'The ledger never closes.'),
    ];
    await change(world.ada, REFUTE, { id: own });
    await world.owner.send('mutation { updateProject(project: "shop", input: { reviewRequired: true }) { id } }');
    await change(world.mia, REFUTE, { id: refuted });
    expect(await refusedWith(change(world.ada, REFUTE, { id, reason: randomUUID() }))).toBe(
      'FORBIDDEN review-required',
    );
    expect(await refusedWith(change(world.ada, RESTORE, { id: refuted }))).toBe('FORBIDDEN maintainers-restore');
    expect(await refusedWith(change(world.ada, RESTORE, { id: own }))).toBe('FORBIDDEN review-required');
    await change(world.ada, FORGET, { id: refuted });
    expect((await change(world.ada, RESTORE, { id: refuted })).state).toBe('REFUTED');
    expect((await change(world.mia, RESTORE, { id: own })).state).toBe('ACTIVE');
    await world.owner.send('mutation { updateProject(project: "shop", input: { reviewRequired: false }) { id } }');
  });
});
