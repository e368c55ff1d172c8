import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSuperuser } from '../support/cluster.js';
import { capture } from './memory-world.js';
import {
  decide,
  DEMOTE,
  demote,
  keep,
  makeGroup,
  MOVED,
  type Moved,
  openScopeWorld,
  type Proposal,
  PROPOSAL,
  proposals,
  type ScopeWorld,
  seesIt,
  SHARE,
  share,
  TRANSFER,
  UNDO,
} from './scope-world.js';

let world: ScopeWorld;
beforeAll(async () => {
  world = await openScopeWorld();
});
afterAll(() => world.api.close());

const review = (required: boolean): Promise<unknown> =>
  world.mia.send(
    'mutation ($r: Boolean!) { updateProject(project: "shop", input: { reviewRequired: $r }) { reviewRequired } }',
    {
      r: required,
    },
  );

describe('sharing and taking back', () => {
  it('widens and narrows a memory of one’s own, on record, and undoes the latest change', async () => {
    await makeGroup(world.owner, 'pair', ['shop', 'pay']);
    const id = await keep(world.mia, 'The staging queue is drained at midnight.');
    await share(world.mia, { memoryId: id, scope: 'PROJECT' });
    const { memory } = await share(world.mia, { memoryId: id.slice(0, 8), scope: 'GROUP', group: 'pair' });
    expect(memory).toMatchObject({ scope: 'GROUP', project: { slug: 'shop' }, group: { slug: 'pair' } });
    expect(await seesIt(world.rea, id)).toBe(true);
    const back = await world.mia.send<{ undoAudienceChange: Moved }>(UNDO, { id: memory.audienceChanges[0]?.id });
    expect(back.undoAudienceChange).toMatchObject({ scope: 'PROJECT', group: null });
    expect(await seesIt(world.rea, id)).toBe(false);
    const alone = await demote(world.mia, { memoryId: id, scope: 'PRIVATE' });
    expect(alone.audienceChanges.map(({ action, to }) => [action, to.scope])).toEqual([
      ['DEMOTE', 'PRIVATE'],
      ['UNDO', 'PROJECT'],
      ['SHARE', 'GROUP'],
      ['SHARE', 'PROJECT'],
    ]);
    expect(await seesIt(world.ada, id)).toBe(false);
    const stale = await world.mia.refused(UNDO, { id: memory.audienceChanges[0]?.id });
    expect(stale.code).toBe('CONFLICT');
  });

  it('is nobody’s but the owner’s; hidden answers like missing', async () => {
    const shared = await keep(world.ada, 'The shop caches prices for an hour.', { scope: 'PROJECT' });
    const hidden = await keep(world.ada, 'What only Ada knows.');
    const target = { scope: 'TENANT' };
    expect((await world.mia.refused(SHARE, { input: { memoryId: shared, ...target } })).code).toBe('FORBIDDEN');
    expect((await world.mia.refused(DEMOTE, { input: { memoryId: shared, scope: 'PRIVATE' } })).code).toBe('FORBIDDEN');
    const variables = (memoryId: string): Record<string, unknown> => ({
      input: { memoryId, ...target },
      memoryId,
      userId: randomUUID(),
      id: memoryId,
    });
    for (const document of [SHARE, DEMOTE, TRANSFER, UNDO]) {
      const [one, other] = [
        await world.mia.refused(document, variables(hidden)),
        await world.mia.refused(document, variables(randomUUID())),
      ];
      expect([one.code, one.message]).toEqual(['NOT_FOUND', other.message]);
    }
    const { memory } = await world.ben.send<{ memory: Moved }>(`query ($id: ID!) { memory(id: $id) { ${MOVED} } }`, {
      id: shared,
    });
    expect(memory.audienceChanges).toEqual([]);
  });

  it('names what is missing or wrong', async () => {
    const { memory } = await capture(world.ada, { text: 'A note of no project at all.', merge: 'NEVER' });
    const refusals = [
      [{ scope: 'PROJECT' }, 'BAD_USER_INPUT'],
      [{ scope: 'PROJECT', project: 'pay' }, 'NOT_FOUND'],
      [{ scope: 'GROUP', project: 'shop', group: 'hidden' }, 'NOT_FOUND'],
      [{ scope: 'PRIVATE' }, undefined],
    ] as const;
    for (const [target, code] of refusals) {
      const work = world.ada.send(SHARE, { input: { memoryId: memory.id, ...target } });
      if (code === undefined) await work;
      else await expect(work).rejects.toMatchObject({ code });
    }
    const shared = await keep(world.ada, 'Prices are net everywhere.', { scope: 'PROJECT' });
    expect((await world.ada.refused(SHARE, { input: { memoryId: shared, scope: 'PRIVATE' } })).code).toBe('CONFLICT');
    expect((await world.ada.refused(DEMOTE, { input: { memoryId: shared, scope: 'TENANT' } })).code).toBe('FORBIDDEN');
  });

  it('gives a shared memory to someone who could have captured it there', async () => {
    const id = await keep(world.ada, 'Carts expire after two days.', { scope: 'PROJECT' });
    const { users } = await world.owner.send<{ users: { nodes: { id: string; displayName: string }[] } }>(
      '{ users(first: 50) { nodes { id displayName } } }',
    );
    const idOf = (name: string): string => users.nodes.find((user) => user.displayName === name)?.id ?? '';
    expect((await world.ada.refused(TRANSFER, { memoryId: id, userId: idOf('Rea') })).code).toBe('CONFLICT');
    await world.ada.send(TRANSFER, { memoryId: id, userId: idOf('Ben') });
    expect((await world.ada.refused(DEMOTE, { input: { memoryId: id, scope: 'PRIVATE' } })).code).toBe('FORBIDDEN');
    expect((await demote(world.ben, { memoryId: id, scope: 'PRIVATE' })).scope).toBe('PRIVATE');
  });
});

describe('a project that reviews', () => {
  it('keeps what a contributor captures private, with a proposal, and says so', async () => {
    await review(true);
    const input = { text: 'Invoices are rounded per line.', project: 'shop', tags: ['invoices'] };
    const document = `mutation ($input: CaptureInput!) { capture(input: $input) { status memory { id scope } proposal { ${PROPOSAL} } } }`;
    const { capture: kept } = await world.ada.send<{
      capture: { status: string; memory: { id: string; scope: string }; proposal: Proposal };
    }>(document, { input });
    expect(kept).toMatchObject({ status: 'CREATED', memory: { scope: 'PRIVATE' }, proposal: { state: 'PENDING' } });
    expect(await seesIt(world.mia, kept.memory.id)).toBe(false);
    const [waiting] = await proposals(world.mia, { state: 'PENDING', project: 'shop' });
    expect(waiting).toMatchObject({
      id: kept.proposal.id,
      content: { text: 'Invoices are rounded per line.', tags: ['invoices'] },
      to: { scope: 'PROJECT', project: { slug: 'shop' } },
      proposer: { displayName: 'Ada' },
    });
    const { capture: again } = await world.ada.send<{ capture: { proposal: Proposal } }>(document, { input });
    expect(again.proposal.id).toBe(kept.proposal.id);
    for (const person of [world.ben, world.rea, world.cleo, world.boss]) {
      expect(await proposals(person)).toEqual([]);
      const refusal = await person.refused(decide('approve'), { id: kept.proposal.id });
      const missing = await person.refused(decide('approve'), { id: randomUUID() });
      expect([refusal.code, refusal.message]).toEqual(['NOT_FOUND', missing.message]);
    }
    expect((await world.ada.refused(decide('approve'), { id: kept.proposal.id })).code).toBe('FORBIDDEN');
    const { approveProposal } = await world.mia.send<{ approveProposal: Proposal }>(decide('approve'), {
      id: kept.proposal.id,
    });
    expect(approveProposal).toMatchObject({ state: 'APPROVED', content: null });
    expect([await seesIt(world.ben, kept.memory.id), await seesIt(world.rea, kept.memory.id)]).toEqual([true, false]);
    expect((await world.mia.refused(decide('approve'), { id: kept.proposal.id })).code).toBe('CONFLICT');
  });

  it('lets its maintainers capture at once', async () => {
    const { memory } = await capture(world.mia, { text: 'VAT is computed by the tax service.', project: 'shop' });
    expect(memory.scope).toBe('PROJECT');
  });

  it('proposes what is shared, once; declined with a reason, or withdrawn', async () => {
    const id = await keep(world.ada, 'Coupons cannot be combined.');
    const { memory, proposal } = await share(world.ada, { memoryId: id, scope: 'PROJECT' });
    expect([memory.scope, proposal?.state]).toEqual(['PRIVATE', 'PENDING']);
    expect((await world.ada.refused(SHARE, { input: { memoryId: id, scope: 'PROJECT' } })).code).toBe('CONFLICT');
    expect((await world.mia.refused(decide('decline', ', reason: " "'), { id: proposal?.id })).code).toBe(
      'BAD_USER_INPUT',
    );
    await world.mia.send(decide('decline', ', reason: "not true any more"'), { id: proposal?.id });
    expect((await proposals(world.ada, { mine: true }))[0]).toMatchObject({
      state: 'DECLINED',
      reason: 'not true any more',
    });
    const second = (await share(world.ada, { memoryId: id, scope: 'PROJECT' })).proposal;
    expect((await world.mia.refused(decide('withdraw'), { id: second?.id })).code).toBe('FORBIDDEN');
    await world.ada.send(decide('withdraw'), { id: second?.id });
    expect(await proposals(world.mia, { state: 'PENDING' })).toEqual([]);
    expect(await seesIt(world.mia, id)).toBe(false);
  });

  it('is asked for the whole tenant too, where admins decide', async () => {
    const id = await keep(world.ada, 'Nobody deploys on Fridays.');
    const { proposal } = await share(world.ada, { memoryId: id, scope: 'TENANT' });
    expect(await proposals(world.mia, { state: 'PENDING' })).toEqual([]);
    await world.boss.send(decide('approve'), { id: proposal?.id });
    expect(await seesIt(world.cleo, id)).toBe(true);
    await review(false);
  });

  it('leaves everything that was done in the audit, with ids and no words', async () => {
    const { rows: actions } = await asSuperuser(world.api.database.adminUrl, (client) =>
      client.query<{ action: string; details: unknown }>('select action, details from audit order by seq'),
    );
    const named = new Set(actions.map(({ action }) => action));
    for (const action of [
      'group.created',
      'memory.shared',
      'memory.demoted',
      'memory.transferred',
      'memory.audience-undone',
      'proposal.made',
      'proposal.approved',
      'proposal.declined',
      'proposal.withdrawn',
      'project.updated',
    ]) {
      expect(named).toContain(action);
    }
    expect(JSON.stringify(actions)).not.toMatch(/Coupons|Invoices|not true/);
  });
});
