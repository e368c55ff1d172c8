import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenant, type GraphQLClient, invite, machineOf } from '../support/graphql-client.js';
import { capture, type MemoryWorld, openMemoryWorld } from './memory-world.js';

let world: MemoryWorld;
beforeAll(async () => {
  world = await openMemoryWorld();
});
afterAll(() => world.close());

const edit = (person: GraphQLClient, id: string, expectedRevision: number, text: string): Promise<unknown> =>
  person.send(
    'mutation ($id: ID!, $r: Int!, $text: String!) { editMemory(id: $id, expectedRevision: $r, input: { text: $text }) { memory { id } } }',
    { id, r: expectedRevision, text },
  );
const share = (person: GraphQLClient, memoryId: string, more: object): Promise<unknown> =>
  person.send('mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }', {
    input: { memoryId, ...more },
  });
const pastOf = async (person: GraphQLClient, id: string): Promise<string[]> => {
  const { memory } = await person.send<{ memory: { text: string; history: { text: string }[] } }>(
    'query ($id: ID!) { memory(id: $id) { text history { text } } }',
    { id },
  );
  // The history ends with what it says now.
  return memory.history.map(({ text }) => text).filter((text) => text !== memory.text);
};

describe('what a memory said before it was shared', () => {
  it('stays with who could read it then, and is still in the history of its owner', async () => {
    const { id } = (
      await capture(world.ada, { text: 'The heron plan is a secret of mine.', project: 'shop', scope: 'PRIVATE' })
    ).memory;
    await edit(world.ada, id, 1, 'Reports read from the replica.');
    await share(world.ada, id, { scope: 'PROJECT', project: 'shop' });
    await edit(world.ada, id, 2, 'Reports read from the replica, never from the primary.');
    expect((await pastOf(world.ada, id)).sort()).toEqual([
      'Reports read from the replica.',
      'The heron plan is a secret of mine.',
    ]);
    expect(await pastOf(world.ben, id)).toEqual(['Reports read from the replica.']);
  });

  it('is not told to the tenant either: what a project saw is the project’s', async () => {
    const { id } = (
      await capture(world.owner, { text: 'Only the shop knows of the heron.', project: 'shop', scope: 'PROJECT' })
    ).memory;
    await edit(world.owner, id, 1, 'Everybody may know of the egret.');
    await share(world.owner, id, { scope: 'TENANT' });
    expect(await pastOf(world.cleo, id)).toEqual([]);
    expect(await pastOf(world.ben, id)).toEqual(['Only the shop knows of the heron.']);
  });

  it('goes for the reason of putting it away, too', async () => {
    const { id } = (await capture(world.ada, { text: 'Old notes on the cart.', project: 'shop', scope: 'PRIVATE' }))
      .memory;
    await world.ada.send('mutation ($id: ID!) { archiveMemory(id: $id, reason: "a heron reason") { id } }', { id });
    await world.ada.send('mutation ($id: ID!) { restoreMemory(id: $id) { id } }', { id });
    await world.ada.send('mutation ($id: ID!) { archiveMemory(id: $id, reason: "a heron reason") { id } }', { id });
    await share(world.ada, id, { scope: 'PROJECT', project: 'shop' });
    const { memory } = await world.ben.send<{ memory: { stateReason: string | null } }>(
      'query ($id: ID!) { memory(id: $id) { stateReason } }',
      { id },
    );
    expect(memory.stateReason).toBeNull();
  });
});

describe('an archived project', () => {
  it('takes in nothing that lay in it in private, and lets its owner take back what was shared', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "old", name: "Old" }) { id } }');
    const put = async (scope: string): Promise<string> =>
      (await capture(world.owner, { text: `A ${scope} note in the old project.`, project: 'old', scope })).memory.id;
    const [lain, shared] = [await put('PRIVATE'), await put('PROJECT')];
    await world.owner.send('mutation { archiveProject(project: "old") { id } }');
    const refused = await world.owner.refused(
      'mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { id } } }',
      { input: { memoryId: lain, scope: 'PROJECT', project: 'old' } },
    );
    expect(refused.code).toBe('CONFLICT');
    const DEMOTE = 'mutation ($input: AudienceInput!) { demoteMemory(input: $input) { scope audienceChanges { id } } }';
    const { demoteMemory } = await world.owner.send<{
      demoteMemory: { scope: string; audienceChanges: { id: string }[] };
    }>(DEMOTE, { input: { memoryId: shared, scope: 'PRIVATE' } });
    expect(demoteMemory.scope).toBe('PRIVATE');
    const undone = await world.owner.refused('mutation ($id: ID!) { undoAudienceChange(id: $id) { id } }', {
      id: demoteMemory.audienceChanges[0]?.id,
    });
    expect(undone.code).toBe('CONFLICT');
  });
});

describe('an admin', () => {
  it('ends no login and no token of an owner, and no machine ends those of others', async () => {
    const owner = await createTenant(await world.api.operator(), 'Ranks');
    const admin = await invite(owner, { displayName: 'Adam', role: 'ADMIN' });
    const member = await invite(owner, { displayName: 'Mia' });
    const { issueToken } = await owner.send<{ issueToken: { token: { id: string } } }>(
      'mutation { issueToken(input: { name: "m" }) { token { id } } }',
    );
    const sessionOf = async (person: GraphQLClient): Promise<string> => {
      const { sessions } = await person.send<{ sessions: { nodes: { id: string }[] } }>(
        '{ sessions(first: 10) { nodes { id current } } }',
      );
      return sessions.nodes.at(-1)?.id ?? '';
    };
    const END = 'mutation ($id: ID!) { endSession(id: $id) { id } }';
    expect(await admin.refused(END, { id: await sessionOf(owner) })).toMatchObject({ code: 'FORBIDDEN' });
    expect(
      await admin.refused('mutation ($id: ID!) { revokeToken(id: $id) { id } }', { id: issueToken.token.id }),
    ).toMatchObject({ code: 'FORBIDDEN' });
    await owner.send('{ me { user { id } } }');
    const machine = await machineOf(admin, ['ADMIN']);
    expect(await machine.refused(END, { id: await sessionOf(member) })).toMatchObject({ reason: 'login-needed' });
    await admin.send(END, { id: await sessionOf(member) });
  });
});
