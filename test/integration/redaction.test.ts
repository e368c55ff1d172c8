import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphQLClient } from '../support/graphql-client.js';
import { randomFrom } from '../performance/random.js';
import { wellKnownSamples } from '../support/redaction/secret-samples.js';
import { type EditWorld, openEditWorld, refusedWith } from './edit-world.js';
import { CAPTURE, capture, retrieve } from './memory-world.js';
import { tracesIn } from './upkeep-world.js';

const RANDOM = randomFrom(21);
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const pat = (): string =>
  ['ghp', Array.from({ length: 36 }, () => LETTERS.charAt(Math.floor(RANDOM() * LETTERS.length))).join('')].join('_');

/** Every secret that was sent, so that none is found afterwards. */
const sent: string[] = [];
const secret = (): string => {
  const made = pat();
  sent.push(made);
  return made;
};

let world: EditWorld;
let owner: GraphQLClient;
let mia: GraphQLClient;
beforeAll(async () => {
  world = await openEditWorld();
  ({ owner, mia } = world);
});
afterAll(() => world.close());

const lists = (): Record<string, unknown> => ({
  title: `The key ${secret()}`,
  tags: [secret()],
  filesModified: [`src/${secret()}.ts`],
  errorsResolved: [{ error: `401 with ${secret()}`, resolution: `use ${secret()}` }],
  alternatives: [{ approach: secret(), whyNot: secret(), revisitIf: secret() }],
});

/** Operations that keep something of what people write, each with a secret in every text. */
const operations = (
  id: string,
  other: string,
  third: string,
): readonly (readonly [string, Record<string, unknown>])[] => {
  const rule = {
    name: `Rule ${secret()}`,
    effect: 'BOOST',
    factor: 1.1,
    conditions: { tags: [secret()], files: [secret()] },
  };
  const item = { sourceId: 'a-1', memory: { text: `Imported with ${secret()}`, ...lists() }, stateReason: secret() };
  return [
    [
      '($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { failed } }',
      { inputs: [{ text: secret(), ...lists() }] },
    ],
    [
      '($input: ImportInput!) { importMemories(input: $input) { __typename } }',
      { input: { execute: true, origin: `from ${secret()}`, items: [item] } },
    ],
    [
      '($id: ID!, $input: EditMemoryInput!) { editMemory(id: $id, expectedRevision: 1, input: $input) { changed } }',
      { id, input: { text: `Edited ${secret()}`, ...lists() } },
    ],
    [
      '($id: ID!, $reason: String) { refuteMemory(id: $id, reason: $reason) { id } }',
      { id: other, reason: `wrong: ${secret()}` },
    ],
    [
      '($id: ID!, $reason: String) { archiveMemory(id: $id, reason: $reason) { id } }',
      { id: third, reason: `old: ${secret()}` },
    ],
    ['($input: RecallRuleInput!) { createRecallRule(input: $input) { id } }', { input: rule }],
    [
      '($input: CreateProjectInput!) { createProject(input: $input) { id } }',
      { input: { slug: 'safe', name: secret(), remotes: [`https://${secret()}@github.com/acme/safe`] } },
    ],
    [
      '($input: UpdateProjectInput!) { updateProject(project: "shop", input: $input) { id } }',
      { input: { name: `Shop ${secret()}` } },
    ],
    ['($input: CreateGroupInput!) { createGroup(input: $input) { id } }', { input: { slug: 'all', name: secret() } }],
    ['($input: UpdateTenantInput!) { updateTenant(input: $input) { id } }', { input: { name: secret() } }],
    ['($input: InviteUserInput!) { inviteUser(input: $input) { code } }', { input: { displayName: secret() } }],
    ['($input: IssueTokenInput!) { issueToken(input: $input) { secret } }', { input: { name: secret() } }],
    [
      '($id: ID!, $note: String) { feedback(input: { memoryIds: [$id], helpful: true, note: $note }) { recorded } }',
      { id, note: `helped: ${secret()}` },
    ],
    [
      '($input: RetrieveInput!) { retrieve(input: $input) { retrievalId } }',
      { input: { query: `why is ${secret()} refused?`, tags: [secret()], files: [secret()] } },
    ],
  ];
};

const outcome = async (document: string, variables: Record<string, unknown>): Promise<string> => {
  try {
    return JSON.stringify(await owner.send(`mutation ${document}`, variables));
  } catch (error) {
    return error instanceof Error ? `refused: ${error.message}` : 'refused';
  }
};

describe('secrets that agents send', () => {
  it(
    'D1: stand in no table, answer, log line or metric, whichever operation brought them',
    { timeout: 120_000 },
    async () => {
      const ids: string[] = [];
      for (const text of ['First', 'Second', 'Third']) {
        ids.push((await capture(owner, { text: `${text} has ${secret()}`, merge: 'NEVER', ...lists() })).memory.id);
      }
      const [id = '', other = '', third = ''] = ids;
      const answers: string[] = [];
      for (const [document, variables] of operations(id, other, third))
        answers.push(await outcome(document, variables));
      expect(answers.filter((answer) => answer.startsWith('refused'))).toEqual([]);

      expect(await tracesIn(world, sent)).toEqual([]);
      expect((await tracesIn(world, ['REDACTED:github-pat'])).sort()).toEqual(
        expect.arrayContaining(['memory', 'project', 'recall_rule', 'retrieval', 'revision', 'tenant']),
      );
      const seen = [answers.join('\n'), world.api.logged(), await register.metrics()].join('\n');
      expect(sent.filter((one) => seen.includes(one))).toEqual([]);
    },
  );

  it(
    'D1: of every well-known kind are taken out of a capture, which says what they were',
    { timeout: 120_000 },
    async () => {
      const samples = wellKnownSamples(RANDOM);
      const text = samples.map((sample) => sample.text).join('\n');
      const { capture: answer } = await owner.send<{
        capture: { memory: { text: string }; redacted: { type: string; count: number }[] };
      }>('mutation ($input: CaptureInput!) { capture(input: $input) { memory { text } redacted { type count } } }', {
        input: { text, tags: ['keys'] },
      });
      expect(samples.filter((sample) => answer.memory.text.includes(sample.secret))).toEqual([]);
      expect(answer.redacted.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['aws-access-token', 'github-pat', 'private-key', 'tempera-token', 'url-password']),
      );
      expect(answer.redacted.reduce((all, { count }) => all + count, 0)).toBeGreaterThanOrEqual(20);
    },
  );

  it('make the same memory, whatever they were, and one question', async () => {
    const said = (): string => `The staging deploy uses ${secret()} for the registry`;
    const first = await capture(mia, { text: said() });
    const again = await capture(mia, { text: said() });
    expect([again.status, again.memory.id]).toEqual(['REPEATED', first.memory.id]);
    expect(await retrieve(mia, `which registry takes ${secret()}?`)).toBeDefined();
    expect(await tracesIn(world, sent)).toEqual([]);
  });

  it('are refused in names that clients give, and nothing is kept', async () => {
    const input = { text: 'A memory that is not there', idempotencyKey: secret() };
    expect(await refusedWith(mia.send(CAPTURE, { input }))).toBe('BAD_USER_INPUT secret-in-name');
    expect(await tracesIn(world, ['A memory that is not there'])).toEqual([]);
  });

  it('leave nothing to keep where all was private', async () => {
    const input = { text: '<private>between us</private> ' };
    expect(await refusedWith(mia.send(CAPTURE, { input }))).toMatch(/^BAD_USER_INPUT text/);
  });
});
