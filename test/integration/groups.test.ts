import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, retrieve } from './memory-world.js';
import { makeGroup, openScopeWorld, type ScopeWorld, seesIt } from './scope-world.js';

let world: ScopeWorld;
beforeAll(async () => {
  world = await openScopeWorld();
});
afterAll(() => world.api.close());

describe('groups of projects', () => {
  it('are made, listed with the projects one sees, renamed and deleted', async () => {
    await makeGroup(world.owner, 'commerce', ['shop', 'pay']);
    const { groups } = await world.rea.send<{ groups: { nodes: { slug: string; projects: { slug: string }[] }[] } }>(
      '{ groups(first: 10) { nodes { slug projects { slug } } } }',
    );
    expect(groups.nodes).toEqual([{ slug: 'commerce', projects: [{ slug: 'pay' }] }]);
    await world.owner.send('mutation { updateGroup(group: "commerce", input: { name: "Commerce" }) { name } }');
    expect(
      (await world.rea.refused('mutation { updateGroup(group: "commerce", input: { name: "x" }) { id } }')).code,
    ).toBe('FORBIDDEN');
    await world.owner.send('mutation { deleteGroup(group: "commerce") { id } }');
    expect((await world.rea.refused('{ group(slug: "commerce") { id } }')).code).toBe('NOT_FOUND');
  });

  it('are hidden like missing ones from who is in none of their projects', async () => {
    await makeGroup(world.owner, 'hidden', ['pay']);
    for (const document of [
      'query ($g: String!) { group(slug: $g) { id } }',
      'mutation ($g: String!) { updateGroup(group: $g, input: { name: "x" }) { id } }',
      'mutation ($g: String!) { addProjectToGroup(group: $g, project: "shop") { id } }',
      'mutation ($g: String!) { removeProjectFromGroup(group: $g, project: "shop") { id } }',
      'mutation ($g: String!) { deleteGroup(group: $g) { id } }',
      'query ($g: String!) { memories(first: 1, filter: { group: $g }) { totalCount } }',
      'mutation ($g: String!) { retrieve(input: { query: "x", group: $g }) { retrievalId } }',
      'mutation ($g: String!) { capture(input: { text: "x", project: "shop", scope: GROUP, group: $g }) { status } }',
    ]) {
      const [hidden, missing] = [
        await world.mia.refused(document, { g: 'hidden' }),
        await world.mia.refused(document, { g: 'nope' }),
      ];
      expect([hidden.code, hidden.message]).toEqual(['NOT_FOUND', missing.message]);
    }
  });

  it('refuse what is no slug, a slug that is taken, a project twice, and who has no right', async () => {
    expect((await world.owner.refused('mutation { createGroup(input: { slug: "No!", name: "x" }) { id } }')).code).toBe(
      'BAD_USER_INPUT',
    );
    expect(
      (await world.owner.refused('mutation { createGroup(input: { slug: "hidden", name: "x" }) { id } }')).code,
    ).toBe('CONFLICT');
    const again = 'mutation { addProjectToGroup(group: "hidden", project: "pay") { id } }';
    expect((await world.owner.refused(again)).code).toBe('CONFLICT');
    for (const person of [world.ada, world.cleo]) {
      const refusal = await person.refused('mutation { createGroup(input: { slug: "mine", name: "x" }) { id } }');
      expect(refusal.code).toBe('FORBIDDEN');
    }
    const other = await world.mia.refused(
      'mutation { createGroup(input: { slug: "mine", name: "x", projects: ["pay"] }) { id } }',
    );
    expect(other.code).toBe('NOT_FOUND');
  });

  it('show what is captured for them to their projects, in search too, and to nobody else', async () => {
    await makeGroup(world.owner, 'both', ['shop', 'pay']);
    const text = 'Refunds are booked against the original invoice, never as a new one.';
    const input = { text, project: 'shop', scope: 'GROUP', group: 'both' };
    const { memory } = await capture(world.owner, input);
    expect(memory.scope).toBe('GROUP');
    expect(
      await Promise.all([world.mia, world.ada, world.rea, world.cleo, world.boss].map((who) => seesIt(who, memory.id))),
    ).toEqual([true, true, true, false, false]);
    const answer = await retrieve(world.rea, 'how are refunds booked?', { project: 'pay' });
    expect(answer.hits[0]?.memory.id).toBe(memory.id);
    expect(answer.searchedScopes).toEqual(['private', 'pay', 'group both', 'group hidden', 'tenant']);
    const within = await retrieve(world.rea, 'refunds', { group: 'both' });
    expect(within.searchedScopes).toEqual(['group both']);
    expect(within.hits).toHaveLength(1);
    expect((await retrieve(world.boss, 'how are refunds booked?')).hits).toEqual([]);
    const refusal = await world.ada.refused('mutation ($input: CaptureInput!) { capture(input: $input) { status } }', {
      input,
    });
    expect(refusal.code).toBe('FORBIDDEN');
  });

  it('are emptied before a project leaves or the group goes, by moving memories back', async () => {
    const leave =
      'mutation ($b: Boolean) { removeProjectFromGroup(group: "both", project: "shop", moveBack: $b) { id } }';
    const refusal = await world.mia.refused(leave);
    expect([refusal.code, refusal.message]).toEqual(['CONFLICT', expect.stringContaining('Move them back')]);
    const { memories } = await world.rea.send<{ memories: { nodes: { id: string }[] } }>(
      '{ memories(first: 10, filter: { group: "both", scope: GROUP }) { nodes { id } } }',
    );
    const id = memories.nodes[0]?.id ?? '';
    await world.mia.send(leave, { b: true });
    expect([await seesIt(world.rea, id), await seesIt(world.ada, id)]).toEqual([false, true]);
  });
});
