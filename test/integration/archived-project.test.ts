import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATION_RULES } from '../../apps/api/src/auth/operation-rules.js';
import { asSuperuser } from '../support/cluster.js';
import type { GraphQLClient } from '../support/graphql-client.js';
import { edit, type EditWorld, openEditWorld, refusedWith } from './edit-world.js';
import { capture, feedback, retrieve } from './memory-world.js';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld();
});
afterAll(() => world.close());

type Arguments = Readonly<Record<string, unknown>>;
const ARCHIVED = 'CONFLICT project-archived';
const PASSES = 'let through';
const send = (document: string, variables: Arguments = {}): Promise<unknown> => world.mia.send(document, variables);
const keep = async (person: GraphQLClient, text: string, more: Arguments = {}): Promise<string> =>
  (await capture(person, { text, project: 'shop', merge: 'NEVER', kind: 'BACKGROUND', ...more })).memory.id;
/** An operation on one memory. */
const onMemory = (name: string, more = ''): string => `mutation ($id: ID!) { ${name}(id: $id${more}) { id } }`;
const onAudience = (name: string): string =>
  `mutation ($input: AudienceInput!) { ${name}(input: $input) { __typename } }`;
const RULE = 'input: { name: "x", effect: FIRST, conditions: { pinned: true } }';

/** What there is before the project is archived. */
const fill = async () => {
  const { mia, ada, ben } = world;
  const memories: string[] = [];
  for (let index = 0; index < 12; index += 1)
    memories.push(await keep(mia, `Crate ${index} of the archive is sealed.`));
  const one = await keep(mia, 'The archive door of the shop opens at 7 in the morning.', { kind: 'DECISION' });
  // He may not change hers: a conflict.
  const other = await keep(ben, 'The archive door of the shop opens at 8 in the morning.', { kind: 'DECISION' });
  // An encoder that is late finds it after this.
  await asSuperuser(world.api.database.adminUrl, (client) =>
    client.query(
      `insert into link (tenant_id, from_id, to_id, kind, weight)
       select tenant_id, id, $2::uuid, 'conflict', .9 from memory where id = $1 on conflict do nothing`,
      [other, one],
    ),
  );
  const twins = [await keep(mia, 'The seal is made of wax.'), await keep(mia, 'The seal is made of wax!')];
  const pruned = [await keep(mia, 'The wax is red.'), await keep(mia, 'The wax is red!')];
  const adas = await keep(ada, 'The lamp of the archive is dim.');
  const put = memories.slice(-2);
  await send(onMemory('archiveMemory'), { id: put[0] });
  await send(onAudience('demoteMemory'), { input: { memoryId: put[1], scope: 'PRIVATE' } });
  const { memory } = await mia.send<{ memory: { audienceChanges: { id: string }[] } }>(
    'query ($id: ID!) { memory(id: $id) { audienceChanges { id } } }',
    { id: put[1] },
  );
  const { merge } = await mia.send<{ merge: { runId: string } }>(
    'mutation ($ids: [ID!]!) { merge(ids: $ids) { runId } }',
    { ids: pruned },
  );
  const ruleOf = async (): Promise<string> =>
    (
      await mia.send<{ createRecallRule: { id: string } }>(
        `mutation { createRecallRule(level: PROJECT, project: "shop", ${RULE}) { id } }`,
      )
    ).createRecallRule.id;
  const proposed = async (text: string): Promise<string> => {
    const [id, where] = [await keep(ada, text, { scope: 'PRIVATE' }), { scope: 'PROJECT', project: 'shop' }];
    const { shareMemory } = await ada.send<{ shareMemory: { proposal: { id: string } } }>(
      'mutation ($input: AudienceInput!) { shareMemory(input: $input) { proposal { id } } }',
      { input: { memoryId: id, ...where } },
    );
    return shareMemory.proposal.id;
  };
  const asked = await retrieve(mia, 'Which crate of the archive is sealed?', { project: 'shop', limit: 50 });
  await feedback(mia, { memoryIds: [memories[8]], helpful: true, retrievalId: asked.retrievalId });
  await world.owner.send('mutation { updateProject(project: "shop", input: { reviewRequired: true }) { id } }');
  const proposals = [await proposed('Lids.'), await proposed('Hinges.'), await proposed('Nails.')];
  const { users } = await world.owner.send<{ users: { nodes: { id: string; displayName: string }[] } }>(
    '{ users(first: 50) { nodes { id displayName } } }',
  );
  const benId = users.nodes.find(({ displayName }) => displayName === 'Ben')?.id;
  const ask = 'mutation ($input: AudienceInput!) { shareMemory(input: $input) { proposal { id } } }';
  const input = { memoryId: adas, scope: 'TENANT' };
  const asking = await ada.send<{ shareMemory: { proposal: { id: string } } }>(ask, { input });
  const owned = await keep(world.owner, 'The archive has a fire door.');
  await world.owner.send(
    'mutation { setSetting(input: { key: "storage.stale_age_days", value: "30", project: "shop" }) { value } }',
  );
  await world.owner.send('mutation { addRemote(project: "shop", remote: "https://git.example.com/shop") { id } }');
  await world.owner.send('mutation { createGroup(input: { slug: "yards", name: "Yards", projects: [] }) { id } }');
  const lain = await keep(mia, 'A private note on crates.', { scope: 'PRIVATE' });
  return {
    memories,
    one,
    other,
    twins,
    put,
    lain,
    benId,
    proposals,
    owned,
    adas,
    wider: asking.shareMemory.proposal.id,
    change: memory.audienceChanges[0]?.id,
    run: merge.runId,
    rules: [await ruleOf(), await ruleOf()],
    asked: asked.retrievalId,
  };
};

describe('an archived project', () => {
  it('takes in and decides nothing by any operation that writes memories, votes, links or rules; what is taken back passes', async () => {
    const there = await fill();
    const { memories, one, other, put } = there;
    await world.owner.send('mutation { archiveProject(project: "shop") { id } }');
    const count = `select (select count(*) from upkeep_run) as runs, (select count(*) from vote) as votes,
      (select count(*) from link where resolution is not null) as decided, (select count(*) from recall_rule) as rules,
      (select count(*) from memory where state <> 'active' or superseded_by is not null) as away`;
    const counts = (): Promise<object> =>
      asSuperuser(world.api.database.adminUrl, async (client) => (await client.query<object>(count)).rows[0] ?? {});
    const before = await counts();
    const tenant = { scope: 'TENANT' };
    const set =
      (value: string): (() => Promise<unknown>) =>
      () =>
        world.owner.send('mutation ($input: SetSettingInput!) { setSetting(input: $input) { value } }', {
          input: { key: 'storage.stale_age_days', value, project: 'shop' },
        });
    const update =
      (input: string): (() => Promise<unknown>) =>
      () =>
        world.owner.send(`mutation { updateProject(project: "shop", input: { ${input} }) { id } }`);
    const resolve = 'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { resolution } }';
    const captured = { text: 'A new crate.', project: 'shop' };
    const voted = await feedback(world.mia, { memoryIds: [memories[1]], helpful: false, retrievalId: there.asked });
    expect(voted).toMatchObject({
      recorded: [],
      rejected: [{ reason: 'Its project is archived; restore that first.' }],
    });
    const many = await world.mia.send<{ captureMany: { results: { error: { message: string } | null }[] } }>(
      'mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { results { error { code message } } } }',
      { inputs: [captured] },
    );
    expect(many.captureMany.results[0]?.error).toMatchObject({ code: 'CONFLICT' });
    const { importMemories } = await world.mia.send<{
      importMemories: { items: { status: string; code: string | null }[] };
    }>('mutation ($input: ImportInput!) { importMemories(input: $input) { items { status code } } }', {
      input: { origin: 'crates', execute: true, items: [{ sourceId: 'one', memory: captured }] },
    });
    expect(importMemories.items).toEqual([{ status: 'REFUSED', code: 'CONFLICT' }]);
    const refused: Record<string, readonly (() => Promise<unknown>)[]> = {
      refreshProfile: [() => world.mia.send('mutation { refreshProfile(project: "shop") { refreshedAt } }')],
      approveProposal: [
        () => send(onMemory('approveProposal'), { id: there.proposals[0] }),
        // Of what it shares, to the tenant, from before.
        () => world.owner.send(onMemory('approveProposal'), { id: there.wider }),
      ],
      archiveMemory: [() => send(onMemory('archiveMemory'), { id: memories[0] })],
      capture: [() => capture(world.mia, captured), () => capture(world.mia, { ...captured, scope: 'PRIVATE' })],
      cleanup: [() => send('mutation { cleanup(input: { project: "shop", execute: true }) { runId } }')],
      consolidate: [() => send('mutation { consolidate(input: { project: "shop", execute: true }) { runId } }')],
      createRecallRule: [() => send(`mutation { createRecallRule(level: PROJECT, project: "shop", ${RULE}) { id } }`)],
      deleteRecallRule: [() => send(onMemory('deleteRecallRule'), { id: there.rules[0] })],
      editMemory: [
        () => edit(world.mia, memories[1] ?? '', 1, { text: 'Other words.' }),
        () => edit(world.mia, memories[1] ?? '', 1, { tags: ['new'] }),
        () => edit(world.mia, memories[2] ?? '', 1, { supersedes: memories[1] }),
      ],
      merge: [() => send('mutation ($ids: [ID!]!) { merge(ids: $ids) { runId } }', { ids: there.twins })],
      refuteMemory: [() => send(onMemory('refuteMemory'), { id: memories[3] })],
      resolveConflict: ['KEEP_BOTH', 'KEEP_FIRST', 'MERGE'].map(
        (resolution) => () => send(resolve, { input: { first: one, second: other, resolution } }),
      ),
      restoreMemory: [() => send(onMemory('restoreMemory'), { id: put[0] })],
      setPinned: [() => send(onMemory('setPinned', ', pinned: true'), { id: memories[3] })],
      setVerification: [() => send(onMemory('setVerification', ', verification: STABLE'), { id: memories[3] })],
      shareMemory: [
        // Wider than the project: by who may, and as a proposal by who may ask.
        () => world.owner.send(onAudience('shareMemory'), { input: { memoryId: there.owned, ...tenant } }),
        () => send(onAudience('shareMemory'), { input: { memoryId: memories[7], ...tenant } }),
        () => world.ada.send(onAudience('shareMemory'), { input: { memoryId: there.adas, ...tenant } }),
        () => send(onAudience('shareMemory'), { input: { memoryId: there.lain, scope: 'PROJECT', project: 'shop' } }),
      ],
      transferMemory: [
        () =>
          send('mutation ($id: ID!, $to: ID!) { transferMemory(memoryId: $id, userId: $to) { id } }', {
            id: memories[4],
            to: there.benId,
          }),
      ],
      undo: [() => send('mutation ($id: ID!) { undo(id: $id) { runId } }', { id: there.run })],
      undoAudienceChange: [() => send(onMemory('undoAudienceChange'), { id: there.change })],
      updateRecallRule: [
        () => send(`mutation ($id: ID!) { updateRecallRule(id: $id, ${RULE}) { id } }`, { id: there.rules[0] }),
      ],
    };
    for (const [name, ways] of Object.entries(refused)) {
      for (const [way, act] of ways.entries())
        expect([name, way, await refusedWith(act())]).toEqual([name, way, ARCHIVED]);
    }
    expect(await counts()).toEqual(before);
    // What people change by their login alone: the project itself.
    const administered: Record<string, readonly (() => Promise<unknown>)[]> = {
      addProjectToGroup: [
        () => world.owner.send('mutation { addProjectToGroup(group: "yards", project: "shop") { slug } }'),
      ],
      addRemote: [
        () => world.owner.send('mutation { addRemote(project: "shop", remote: "https://git.example.com/a/b") { id } }'),
      ],
      createGroup: [
        () =>
          world.owner.send('mutation { createGroup(input: { slug: "sheds", name: "x", projects: ["shop"] }) { id } }'),
      ],
      resetSetting: [
        () =>
          world.owner.send(
            'mutation { resetSetting(input: { key: "storage.stale_age_days", project: "shop" }) { value } }',
          ),
      ],
      setSetting: [set('40')],
      updateProject: [update('reviewRequired: false'), update('name: "Other"'), update('slug: "other"')],
    };
    for (const [name, ways] of Object.entries(administered)) {
      for (const [way, act] of ways.entries())
        expect([name, way, await refusedWith(act())]).toEqual([name, way, ARCHIVED]);
    }
    const around: Record<string, () => Promise<unknown>> = {
      addMember: () =>
        world.owner.send('mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }', {
          input: { project: 'shop', userId: there.benId, role: 'MAINTAINER' },
        }),
      removeRemote: () =>
        world.owner.send('mutation { removeRemote(project: "shop", remote: "https://git.example.com/shop") { id } }'),
      // What a person keeps for himself in it stays his.
      shareMemory: () => send(onAudience('shareMemory'), { input: { memoryId: there.lain, ...tenant } }),
    };
    for (const [name, act] of Object.entries(around)) expect([name, await refusedWith(act())]).toEqual([name, PASSES]);
    // And the database says the same to whoever passes the service by.
    await asSuperuser(world.api.database.adminUrl, async (client) => {
      for (const statement of [
        "update project set review_required = not review_required where slug = 'shop'",
        "update setting set value = '41' where project_id is not null",
      ])
        await expect(client.query(statement)).rejects.toMatchObject({ code: 'TM020' });
    });
    const taken: Record<string, () => Promise<unknown>> = {
      declineProposal: () => send(onMemory('declineProposal', ', reason: "over"'), { id: there.proposals[1] }),
      demoteMemory: () => send(onAudience('demoteMemory'), { input: { memoryId: memories[5], scope: 'PRIVATE' } }),
      forgetMemory: () => send(onMemory('forgetMemory'), { id: memories[6] }),
      withdrawProposal: () => world.ada.send(onMemory('withdrawProposal'), { id: there.proposals[2] }),
    };
    for (const [name, act] of Object.entries(taken)) expect([name, await refusedWith(act())]).toEqual([name, PASSES]);
    const back = { memoryIds: [memories[8]], helpful: true, withdraw: true, retrievalId: there.asked };
    expect(await feedback(world.mia, back)).toMatchObject({ recorded: [memories[8]] });
    // A new operation that writes has to be put on one side.
    const writing = Object.entries(OPERATION_RULES).filter(([, { machines }]) => machines === 'write');
    const listed = [
      ...Object.keys(refused),
      ...Object.keys(taken),
      'captureMany',
      'importMemories',
      'feedback',
      'keepTurns',
      'distilNow',
    ];
    expect(listed.sort()).toEqual(writing.map(([name]) => name).sort());
  });
});

describe('a project that reviews', () => {
  it('lets no contributor retire what was reviewed, nor let it stand again, and a maintainer both', async () => {
    await world.owner.send('mutation { createProject(input: { slug: "checked", name: "Checked" }) { id } }');
    const { users } = await world.owner.send<{ users: { nodes: { id: string; displayName: string }[] } }>(
      '{ users(first: 50) { nodes { id displayName } } }',
    );
    for (const [name, role] of [
      ['Ada', 'CONTRIBUTOR'],
      ['Mia', 'MAINTAINER'],
    ]) {
      const userId = users.nodes.find(({ displayName }) => displayName === name)?.id;
      const input = { project: 'checked', userId, role };
      await world.owner.send('mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }', { input });
    }
    const [older, newer] = [
      await keep(world.ada, 'Parcels are weighed twice.', { project: 'checked' }),
      await keep(world.ada, 'The scale is trusted.', { project: 'checked' }),
    ];
    await world.owner.send('mutation { updateProject(project: "checked", input: { reviewRequired: true }) { id } }');
    const retire = (person: GraphQLClient): Promise<string> =>
      refusedWith(edit(person, newer, 1, { supersedes: older }));
    const restore = (person: GraphQLClient): Promise<string> =>
      refusedWith(person.send(onMemory('restoreMemory'), { id: older }));
    expect(await retire(world.ada)).toBe('FORBIDDEN review-required');
    expect(await retire(world.mia)).toBe(PASSES);
    expect(await restore(world.ada)).toBe('FORBIDDEN review-required');
    expect(await restore(world.mia)).toBe(PASSES);
  });
});
