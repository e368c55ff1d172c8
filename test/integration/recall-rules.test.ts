import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';

const RULE = 'id level position name effect factor maxItems enabled conditions { tags kinds pinned }';
const CREATE = `mutation ($input: RecallRuleInput!, $level: RuleLevel! = USER, $project: String) { createRecallRule(input: $input, level: $level, project: $project) { ${RULE} } }`;
const UPDATE = `mutation ($id: ID!, $input: RecallRuleInput!) { updateRecallRule(id: $id, input: $input) { ${RULE} } }`;
const DELETE = 'mutation ($id: ID!) { deleteRecallRule(id: $id) { id } }';
const LIST = `query ($project: String) { recallRules(project: $project) { ${RULE} } }`;
const QUESTION = 'how do we deploy the service';
interface Made {
  createRecallRule: { id: string };
}
interface Hit {
  memory: { id: string; tags: string[] };
  score: number;
  explanation: { rule: string | null };
}

let api: TestApi;
let owner: GraphQLClient;
let maintainer: GraphQLClient;
let member: GraphQLClient;
let stranger: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  const operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
  stranger = await createTenant(operator, 'Other');
  await owner.send('mutation { createProject(input: { slug: "api", name: "P" }) { id } }');
  maintainer = await invite(owner, { displayName: 'Mia', project: 'api', projectRole: 'MAINTAINER' });
  member = await invite(owner, { displayName: 'Mel', project: 'api', projectRole: 'CONTRIBUTOR' });
  for (const [n, tag] of ['old', 'old', 'new', 'new', 'manual'].entries()) {
    const input = {
      text: `We deploy service number ${n} with a script.`,
      tags: [tag],
      project: 'api',
      scope: 'PROJECT',
    };
    await member.send('mutation ($input: CaptureInput!) { capture(input: $input) { status } }', {
      input: { ...input, merge: 'NEVER' },
    });
  }
});
afterAll(() => api.close());

const ask = async (by: GraphQLClient): Promise<Hit[]> =>
  (
    await by.send<{ retrieve: { hits: Hit[] } }>(
      `mutation { retrieve(input: { query: "${QUESTION}", project: "api", limit: 10 }) { hits { memory { id tags } score explanation { rule } } } }`,
    )
  ).retrieve.hits;
const tagsOf = async (by: GraphQLClient): Promise<string[]> => (await ask(by)).map(({ memory }) => memory.tags.join());
const rule = (change: Record<string, unknown>): Record<string, unknown> => ({
  name: 'a rule',
  effect: 'EXCLUDE',
  conditions: { tags: ['old'] },
  ...change,
});
const withRule = async (
  by: GraphQLClient,
  input: Record<string, unknown>,
  level: string,
  work: () => Promise<void>,
): Promise<void> => {
  const project = level === 'PROJECT' ? 'api' : undefined;
  const { createRecallRule } = await by.send<Made>(CREATE, { input, level, project });
  await work();
  await by.send(DELETE, { id: createRecallRule.id });
};

describe('recall rules', () => {
  it('of a person bear on that person’s answers alone', async () => {
    const before = await tagsOf(member);
    expect(before).toContain('old');
    await withRule(member, rule({}), 'USER', async () => {
      expect(await tagsOf(member)).not.toContain('old');
      expect(await tagsOf(maintainer)).toEqual(before);
    });
    expect(await tagsOf(member)).toEqual(before);
  });

  it('of the tenant and of a project bear on everyone’s', async () => {
    await withRule(owner, rule({}), 'TENANT', async () => expect(await tagsOf(member)).not.toContain('old'));
    await withRule(maintainer, rule({}), 'PROJECT', async () => expect(await tagsOf(member)).not.toContain('old'));
  });

  it('put first, boost and limit, and the hit says by which rule', async () => {
    const first = rule({ name: 'by hand first', effect: 'FIRST', conditions: { tags: ['manual'] } });
    await withRule(member, first, 'USER', async () => {
      const [hit] = await ask(member);
      expect(hit?.memory.tags).toEqual(['manual']);
      expect(hit?.explanation.rule).toBe('new ahead of equals, by hand first');
    });
    const plain = new Map((await ask(member)).map(({ memory, score }) => [memory.id, score]));
    const boost = rule({ effect: 'BOOST', factor: 1.1, conditions: { tags: ['manual'] } });
    await withRule(member, boost, 'USER', async () => {
      const hit = (await ask(member)).find(({ memory }) => memory.tags[0] === 'manual');
      expect(hit?.score).toBeCloseTo(1.1 * (plain.get(hit?.memory.id ?? '') ?? 0), 5);
    });
    const limit = rule({ effect: 'LIMIT', maxItems: 1, conditions: { tags: ['old', 'new'] } });
    await withRule(member, limit, 'USER', async () => {
      expect((await tagsOf(member)).filter((tag) => tag !== 'manual')).toHaveLength(1);
    });
  });

  it('are listed in the order they apply, shipped ones before, and others’ own ones not at all', async () => {
    await withRule(owner, rule({ name: 'ours' }), 'TENANT', async () => {
      await withRule(maintainer, rule({ name: 'second', position: 2 }), 'PROJECT', async () => {
        await withRule(maintainer, rule({ name: 'first', position: 1 }), 'PROJECT', async () => {
          await withRule(member, rule({ name: 'mine' }), 'USER', async () => {
            const named = async (by: GraphQLClient): Promise<string[]> =>
              (await by.send<{ recallRules: { name: string }[] }>(LIST, { project: 'api' })).recallRules.map(
                (r) => r.name,
              );
            const shared = ['pinned first', 'new ahead of equals', 'ours', 'first', 'second'];
            expect(await named(member)).toEqual([...shared, 'mine']);
            expect(await named(owner)).toEqual(shared);
          });
        });
      });
    });
  });

  it('are changed and switched off by who may make them, and hidden ones answer like missing ones', async () => {
    const { createRecallRule: own } = await member.send<Made>(CREATE, { input: rule({}) });
    const { createRecallRule: tenants } = await owner.send<Made>(CREATE, { input: rule({}), level: 'TENANT' });
    await member.send(UPDATE, { id: own.id, input: rule({ enabled: false }) });
    await owner.send(UPDATE, { id: tenants.id, input: rule({ enabled: false }) });
    expect(await tagsOf(member)).toContain('old');
    expect((await member.refused(UPDATE, { id: tenants.id, input: rule({}) })).code).toBe('FORBIDDEN');
    expect((await member.refused(DELETE, { id: tenants.id })).code).toBe('FORBIDDEN');
    const answers = new Set<string>();
    for (const id of [own.id, randomUUID(), 'x']) answers.add((await owner.refused(DELETE, { id })).message);
    for (const id of [own.id, tenants.id]) answers.add((await stranger.refused(DELETE, { id })).message);
    expect([...answers]).toEqual(['NOT_FOUND: No such recall rule.']);
    await member.send(DELETE, { id: own.id });
    await owner.send(DELETE, { id: tenants.id });
  });

  it('are refused where they say nothing, too much, or for whom one may not speak', async () => {
    const wrong = [
      { name: '' },
      { name: 'x'.repeat(101) },
      { position: -1 },
      { position: 1_001 },
      { effect: 'BOOST' },
      { effect: 'BOOST', factor: 1 },
      { effect: 'BOOST', factor: 1.21 },
      { effect: 'EXCLUDE', factor: 1.1 },
      { effect: 'LIMIT' },
      { effect: 'LIMIT', maxItems: 0 },
      { effect: 'LIMIT', maxItems: 51 },
      { effect: 'FIRST', maxItems: 1 },
      { conditions: {} },
      { conditions: { tags: [] } },
      { conditions: { tags: ['x'.repeat(101)] } },
      { conditions: { authors: ['nobody'] } },
      { conditions: { minAgeDays: -1 } },
      { conditions: { minAgeDays: 2, maxAgeDays: 1 } },
    ];
    for (const change of wrong) {
      expect({ change, code: (await member.refused(CREATE, { input: rule(change) })).code }).toEqual({
        change,
        code: 'BAD_USER_INPUT',
      });
    }
    for (const variables of [{ level: 'PROJECT' }, { level: 'USER', project: 'api' }, { level: 'SHIPPED' }]) {
      expect((await owner.refused(CREATE, { input: rule({}), ...variables })).code).toBe('BAD_USER_INPUT');
    }
    expect((await member.refused(CREATE, { input: rule({}), level: 'TENANT' })).code).toBe('FORBIDDEN');
    expect((await member.refused(CREATE, { input: rule({}), level: 'PROJECT', project: 'api' })).code).toBe(
      'FORBIDDEN',
    );
    const hidden = await stranger.refused(CREATE, { input: rule({}), level: 'PROJECT', project: 'api' });
    expect(hidden.message).toBe('NOT_FOUND: No such project.');
    expect(await tagsOf(member)).toContain('old');
  });

  it('are fifty at most in a level', async () => {
    for (let n = 0; n < 50; n += 1) await maintainer.send(CREATE, { input: rule({ enabled: false }) });
    expect((await maintainer.refused(CREATE, { input: rule({}) })).code).toBe('CONFLICT');
  });
});

describe('an archived project', () => {
  it('is passed by in searches that do not name it, and searched when it is named', async () => {
    const everywhere = async (): Promise<number> => {
      const { retrieve } = await member.send<{ retrieve: { hits: unknown[] } }>(
        `mutation { retrieve(input: { query: "${QUESTION}", limit: 10 }) { hits { place } } }`,
      );
      return retrieve.hits.length;
    };
    expect(await everywhere()).toBe(5);
    await owner.send('mutation { archiveProject(project: "api") { id } }');
    expect(await everywhere()).toBe(0);
    expect(await ask(member)).toHaveLength(5);
    await owner.send('mutation { restoreProject(project: "api") { id } }');
    expect(await everywhere()).toBe(5);
  });
});
