import { assess, lent, propagate } from '@tempera/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../support/database.js';
import { makeMemory } from '../support/memories.js';
import { addMember, makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';
import { bundleFromSource, startEngine } from './support/engine.js';
import { joinNeighbours, learned, night, type NightWorld, proveUseful } from './support/night-world.js';

const at = (day: number): Date => new Date(Date.UTC(2026, 10, day, 12));

describe('a night', () => {
  let world: NightWorld;
  let operatorId: string;

  beforeAll(async () => {
    const [database, engine, workflowBundle] = await Promise.all([
      openTestDatabase(),
      startEngine(),
      bundleFromSource(),
    ]);
    world = { database, engine, workflowBundle };
    operatorId = await makeOperator(database);
  });

  afterAll(async () => {
    await world.engine.teardown();
    await world.database.close();
  });

  const makeTeam = async (): Promise<{ owner: Person; author: Person; reader: Person; projectId: string }> => {
    const { doors } = world.database;
    const { owner } = await makeTenant(doors, operatorId);
    const projectId = await makeProject(doors, owner, 'shared');
    const author = await makePerson(doors, owner, 'author');
    const reader = await makePerson(doors, owner, 'reader');
    for (const person of [author, reader]) await addMember(doors, owner, projectId, person.userId);
    return { owner, author, reader, projectId };
  };

  it('raises a similar memory nobody voted on by what core says, and names the source', async () => {
    const { owner, author, reader, projectId } = await makeTeam();
    const draft = { scope: 'project', projectId, kind: 'decision', endedAt: at(1) } as const;
    const source = await makeMemory(world.database.doors, author, draft);
    const similar = await makeMemory(world.database.doors, author, draft);
    const unlike = await makeMemory(world.database.doors, author, draft);
    await joinNeighbours(world, owner.tenantId, similar, source, 0.8);
    await proveUseful(world, reader, source, at(10));

    const report = await night(world, owner, '2026-11-20');

    const { earned, evidence } = assess({
      votes: { helpful: 1, unhelpful: 0 },
      credit: 0,
      propagated: 0,
      reached: 0,
      validity: 'none',
      pinned: false,
      daysSinceUseful: 10,
    });
    const node = { earned: 0, evidence: 0.5, propagated: 0, alpha: 1, helpfulVotes: 0, askedRetrievals: 0 };
    const expected = propagate(
      [
        { ...node, id: source, evidence, earned, helpfulVotes: 1, askedRetrievals: 2 },
        { ...node, id: similar },
      ],
      [{ a: source, b: similar, weight: 0.8 }],
      { gamma: 0.9, maxDepth: 2, sourceThreshold: 0.5, minRetrievals: 2, minEdge: 0 },
    );
    const rows = await learned(world, owner.tenantId);
    const loan = expected.loans.get(similar);
    expect(rows.get(similar)).toMatchObject({
      propagated: loan?.propagated,
      reached: loan?.reached,
      lent: lent(loan?.propagated ?? 0, loan?.reached ?? 0),
      lentFrom: source,
      propagatedOn: '2026-11-20',
    });
    expect(rows.get(similar)?.lent).toBeGreaterThan(0.2);
    expect(rows.get(unlike)).toMatchObject({ lent: 0, lentFrom: null });
    expect(report).toEqual({
      credited: 0,
      snapshots: 3,
      sources: 1,
      hops: expected.hops,
      touched: expected.touched,
      residual: expected.residual,
      converged: false,
    });
  });
});
