import { assess, type Assessment, learningShare, lent, propagate, type PropagationNode } from '@tempera/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { castVote, makeMemory, makeRetrieval } from '../support/memories.js';
import { addMember, makeProject } from '../support/people.js';
import {
  joinNeighbours,
  learned,
  makeTeam,
  night,
  type NightWorld,
  noon,
  openNightWorld,
  proveUseful,
  type Team,
} from './support/night-world.js';

const oneHelpfulVote = (daysSinceUseful: number): Assessment =>
  assess({
    votes: { helpful: 1, unhelpful: 0 },
    credit: 0,
    propagated: 0,
    reached: 0,
    validity: 'none',
    pinned: false,
    daysSinceUseful,
  });

const settings = { gamma: 0.9, maxDepth: 2, sourceThreshold: 0.5, minRetrievals: 2, minEdge: 0 };

const nodeOf = (id: string, known: Partial<PropagationNode> = {}): PropagationNode => ({
  id,
  earned: 0,
  evidence: 0.5,
  propagated: 0,
  alpha: 1,
  helpfulVotes: 0,
  askedRetrievals: 0,
  ...known,
});

describe('a night', () => {
  let world: NightWorld;

  beforeAll(async () => {
    world = await openNightWorld();
  });

  afterAll(() => world.close());

  const decision = (team: Team, draft: Parameters<typeof makeMemory>[2] = {}): Promise<string> =>
    makeMemory(world.database.doors, team.author, {
      scope: 'project',
      projectId: team.projectId,
      kind: 'decision',
      endedAt: noon(1),
      ...draft,
    });

  it('raises a similar memory nobody voted on by what core says, and names the source', async () => {
    const team = await makeTeam(world);
    const [source, similar, unlike] = [await decision(team), await decision(team), await decision(team)];
    await joinNeighbours(world, team.tenantId, similar, source, 0.8);
    await proveUseful(world, team.reader, source, noon(10));

    const report = await night(world, team.owner, '2026-11-20');

    const { earned, evidence } = oneHelpfulVote(10);
    const nodes = [nodeOf(source, { evidence, earned, helpfulVotes: 1, askedRetrievals: 2 }), nodeOf(similar)];
    const expected = propagate(nodes, [{ a: source, b: similar, weight: 0.8 }], settings);
    const { propagated = 0, reached = 0 } = expected.loans.get(similar) ?? {};
    const rows = await learned(world, team.tenantId);
    expect(rows.get(similar)).toMatchObject({ propagated, reached, lent: lent(propagated, reached) });
    expect(rows.get(similar)).toMatchObject({ lentFrom: source, propagatedOn: '2026-11-20' });
    expect(propagated).toBeGreaterThan(0.2);
    expect(rows.get(unlike)).toMatchObject({ lent: 0, lentFrom: null });
    // The source keeps what it earned itself: of the two that core writes, one is lent to.
    expect(expected.touched).toBe(2);
    expect(report).toMatchObject({ snapshots: 3, sources: 1, hops: expected.hops, touched: 1 });
    expect(report).toMatchObject({ residual: propagated, converged: false });
  });

  it('changes nothing when it is run a second time for the same date', async () => {
    const team = await makeTeam(world);
    const [source, similar] = [await decision(team), await decision(team)];
    await joinNeighbours(world, team.tenantId, similar, source, 0.8);
    await proveUseful(world, team.reader, source, noon(10));
    await makeEpisodes(team);

    const first = await night(world, team.owner, '2026-11-20');
    const before = await learned(world, team.tenantId);
    const second = await night(world, team.owner, '2026-11-20');

    expect(first).toMatchObject({ credited: 1, touched: 1 });
    expect(second).toMatchObject({ credited: 0, touched: 0, residual: 0, converged: true });
    expect(await learned(world, team.tenantId)).toEqual(before);
  });

  it('moves a loan as far as the days since the night before allow, so that a missed night is made up for', async () => {
    const team = await makeTeam(world);
    const [source, similar] = [await decision(team, { kind: 'decision' }), await decision(team)];
    await joinNeighbours(world, team.tenantId, similar, source, 0.8);
    await proveUseful(world, team.reader, source, noon(10));
    await night(world, team.owner, '2026-11-10');
    const before = (await learned(world, team.tenantId)).get(similar);
    const again = await makeRetrieval(world.database.doors, team.owner, [source], { at: noon(13) });
    await castVote(world.database.doors, team.owner, source, true, { retrievalId: again, at: noon(13) });

    await night(world, team.owner, '2026-11-13');

    const after = (await learned(world, team.tenantId)).get(similar);
    const p = before?.propagated ?? 0;
    const q = 0.9 * 0.8 * (2 * (3 / 4) - 1);
    const a = learningShare(p, 0.1, 3);
    expect(after?.reached).toBeCloseTo(q, 12);
    expect(after?.propagated).toBeCloseTo((1 - a) * p + a * q, 12);
    expect(after?.propagated).toBeGreaterThan(p);
  });

  it('lends to session mates, and takes the loan back in one night when the source is voted down', async () => {
    const team = await makeTeam(world);
    const sessionId = await makeSession(team);
    const [source, mate] = [await decision(team, { sessionId }), await decision(team, { sessionId })];
    await proveUseful(world, team.reader, source, noon(10));
    await night(world, team.owner, '2026-11-10');
    const before = (await learned(world, team.tenantId)).get(mate);
    const shown = await makeRetrieval(world.database.doors, team.owner, [source], { at: noon(11) });
    await castVote(world.database.doors, team.owner, source, false, { retrievalId: shown, at: noon(11) });

    await night(world, team.owner, '2026-11-11');

    expect(before).toMatchObject({ lentFrom: source });
    expect(before?.lent).toBeCloseTo(0.9 * 0.9 * oneHelpfulVote(0).earned, 12);
    expect((await learned(world, team.tenantId)).get(mate)).toMatchObject({ reached: 0, lent: 0, lentFrom: null });
  });

  it('never lends across audiences: not to private memories, another project, or the whole tenant', async () => {
    const team = await makeTeam(world);
    const { doors } = world.database;
    const other = await makeProject(doors, team.owner, 'other');
    await addMember(doors, team.owner, other, team.author.userId);
    const sessionId = await makeSession(team);
    const source = await decision(team, { sessionId });
    const outside = [
      await makeMemory(doors, team.author, {
        scope: 'private',
        projectId: team.projectId,
        sessionId,
        endedAt: noon(1),
      }),
      await makeMemory(doors, team.author, { scope: 'project', projectId: other, sessionId, endedAt: noon(1) }),
      await makeMemory(doors, team.owner, { scope: 'tenant', endedAt: noon(1) }),
    ];
    for (const id of outside) await joinNeighbours(world, team.tenantId, id, source, 0.95);
    await proveUseful(world, team.reader, source, noon(10));

    const report = await night(world, team.owner, '2026-11-10');

    expect(report.sources).toBe(1);
    const rows = await learned(world, team.tenantId);
    expect(outside.map((id) => rows.get(id)?.propagated)).toEqual([0, 0, 0]);
  });

  it("lets a private memory lend by its owner's own vote, a shared one not by its author's", async () => {
    const team = await makeTeam(world);
    const { doors } = world.database;
    const draft = { scope: 'private', endedAt: noon(1) } as const;
    const [own, ownToo] = [await makeMemory(doors, team.author, draft), await makeMemory(doors, team.author, draft)];
    const [shared, sharedToo] = [await decision(team), await decision(team)];
    await joinNeighbours(world, team.tenantId, ownToo, own, 0.8);
    await joinNeighbours(world, team.tenantId, sharedToo, shared, 0.8);
    for (const id of [own, shared]) await proveUseful(world, team.author, id, noon(10));

    await night(world, team.owner, '2026-11-10');

    const rows = await learned(world, team.tenantId);
    expect(rows.get(ownToo)).toMatchObject({ lentFrom: own });
    expect(rows.get(sharedToo)).toMatchObject({ lent: 0, lentFrom: null });
  });

  const makeSession = (team: Team): Promise<string> =>
    world.database.doors.asTenant(team.author, async (tx) => {
      const { tenantId, userId } = team.author;
      const session = { tenantId, userId, projectId: team.projectId, startedAt: noon(1), lastAt: noon(1) };
      return (await tx.workSession.create({ data: session })).id;
    });

  /** A failure, and twenty minutes later a success of the same person and project. */
  const makeEpisodes = async (team: Team): Promise<{ success: string; before: string }> => {
    const minutes = (count: number): Date => new Date(noon(2).getTime() + count * 60_000);
    const before = await decision(team, { kind: 'episode', outcome: 'failure', endedAt: minutes(0) });
    const draft = { kind: 'episode', outcome: 'success', startedAt: minutes(20), endedAt: minutes(50) } as const;
    return { before, success: await decision(team, draft) };
  };

  it('credits what led to a success once, and takes it back when the outcome changes', async () => {
    const team = await makeTeam(world);
    const { success, before } = await makeEpisodes(team);
    const creditOf = async (): Promise<number | undefined> => (await learned(world, team.tenantId)).get(before)?.credit;

    await night(world, team.owner, '2026-11-10');
    await night(world, team.owner, '2026-11-11');
    const credited = await creditOf();
    await world.database.doors.asTenant(team.author, (tx) =>
      tx.memory.updateMany({ where: { tenantId: team.tenantId, id: success }, data: { outcome: 'failure' } }),
    );
    const report = await night(world, team.owner, '2026-11-12');

    expect(credited).toBeCloseTo(0.1 * 0.9 * (4 / 5), 12);
    expect(report.credited).toBe(1);
    expect(await creditOf()).toBe(0);
  });

  it('gives no credit to what others see for a success that they do not see', async () => {
    const team = await makeTeam(world);
    const { doors } = world.database;
    const minutes = (count: number): Date => new Date(noon(2).getTime() + count * 60_000);
    const episode = { kind: 'episode', projectId: team.projectId } as const;
    const shared = await makeMemory(doors, team.author, { ...episode, scope: 'project', endedAt: minutes(0) });
    const own = await makeMemory(doors, team.author, { ...episode, scope: 'private', endedAt: minutes(5) });
    const success = { ...episode, outcome: 'success', startedAt: minutes(20), endedAt: minutes(50) } as const;
    await makeMemory(doors, team.author, { ...success, scope: 'private' });

    await night(world, team.owner, '2026-11-10');

    const rows = await learned(world, team.tenantId);
    expect(rows.get(shared)?.credit).toBe(0);
    expect(rows.get(own)?.credit).toBeCloseTo(0.072, 12);
  });
});
