import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encoderLines } from '../../testing/encoder-lines.js';
import { type CommandLine, startCommandLine } from '../../testing/command-line.js';
import { ADMIN_NOUNS } from './admin.command.js';
import { ERASURE } from '../../testing/erasure-answer.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
});
afterEach(() => line.close());

const verbs = ADMIN_NOUNS.flatMap((noun) =>
  Object.entries(noun.verbs).map(([word, verb]) => ({ noun, word, verb, name: `${noun.name} ${word}` })),
);
/** A line of a help text as a shell reads it: words, and quoted words. */
const wordsOf = (text: string): string[] => (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

const AT = '2026-11-30T09:30:00.000Z';
const ID = '44444444-0000-4000-8000-000000000004';
const USER = { id: ID, displayName: 'Ben', email: null, role: 'MEMBER', status: 'ACTIVE', createdAt: AT };
const INVITATION = {
  id: ID,
  displayName: 'Ben',
  email: null,
  role: 'MEMBER',
  project: null,
  projectRole: null,
  state: 'OPEN',
  createdAt: AT,
  expiresAt: AT,
  usedAt: null,
  invitedBy: null,
};
const IDENTITY = { id: ID, issuer: 'https://id.example.com', subject: 'ben', createdAt: AT, lastUsedAt: null };
const PROJECT = { id: ID, slug: 'web-shop', name: 'Web shop', remotes: [], archivedAt: null, createdAt: AT };
const TENANT = {
  id: ID,
  name: 'Acme',
  status: 'ACTIVE',
  timeZone: 'UTC',
  users: 1,
  projects: 1,
  memories: 3,
  eraseAfter: null,
  createdAt: AT,
};
const GROUP = { id: ID, slug: 'pay', name: 'Pay', createdAt: AT, projects: [{ slug: 'a' }] };
const SETTING = {
  key: 'retrieval.max_recall_items',
  value: '8',
  projectValue: null,
  tenantValue: '8',
  defaultValue: '5',
  type: 'INTEGER',
  scope: 'PROJECT',
  min: 1,
  max: 50,
  choices: [],
  unit: null,
  summary: 'hits of an answer',
};
const NO_CONDITIONS = {
  authors: null,
  files: null,
  kinds: null,
  scopes: null,
  tags: null,
  maxAgeDays: null,
  minAgeDays: null,
  pinned: null,
};
const RULE = {
  id: ID,
  name: 'First',
  level: 'TENANT',
  position: 0,
  enabled: true,
  effect: 'BOOST',
  factor: 1.1,
  maxItems: null,
  conditions: NO_CONDITIONS,
};
const ENTRY = {
  seq: '1',
  at: AT,
  actorKind: 'user',
  actorId: ID,
  action: 'user.invited',
  subjectKind: 'invitation',
  subjectId: ID,
  details: '{}',
  hash: 'ab',
};
const WHOLE = {
  intact: true,
  complete: true,
  checked: 3,
  firstBadSeq: null,
  fault: null,
  headSeq: '3',
  headHash: 'ab',
  endCursor: null,
};
const page = (node: object): object => ({ nodes: [node], pageInfo: { hasNextPage: false, endCursor: null } });

describe('every command of tempera admin', () => {
  it.each(verbs)('$name explains itself, and its examples are lines that can be run', async ({ noun, word, verb }) => {
    const help = await line.run(['admin', noun.name, word, '--help']);
    expect(help.exitCode).toBe(0);
    expect(help.out).toContain('--json');
    for (const example of verb.examples) {
      expect(help.out).toContain(`tempera admin ${example}`);
      // Read as a command line, and refused only because nobody is logged in.
      const exitCode = verb.isOffline?.(wordsOf(example).slice(2)) === true ? 4 : 3;
      expect(await line.run(['admin', ...wordsOf(example)])).toMatchObject({ exitCode });
    }
  });

  const taking = verbs.filter(({ word }) =>
    /^(?:suspend|delete|disable|remove|archive|reset|end|revoke|unlink)$/.test(word),
  );
  it.each(taking)('$name asks before it takes something away', async ({ verb }) => {
    await line.logIn();
    line.service.state.codes.add('operator-code');
    await line.run(['admin', 'login', '--server', line.service.url], 'operator-code');
    const ran = await line.run(['admin', ...wordsOf(verb.examples[0] ?? '')]);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
    expect(line.service.state.asked).toEqual([]);
  });
});

describe('what the commands send', () => {
  const asPerson: [words: string, field: string, answer: unknown, sent: object][] = [
    [
      'users list --role admin --status suspended',
      'users',
      page(USER),
      { filter: { role: 'ADMIN', status: 'SUSPENDED' } },
    ],
    [`users role ${ID} viewer`, 'updateUser', USER, { id: ID, role: 'VIEWER' }],
    [`users suspend ${ID} --yes`, 'suspendUser', USER, { id: ID }],
    [
      `users remove ${ID} --memories transfer --to ${ID} --yes`,
      'removeUser',
      { finished: true, sessionsEnded: 2, sharedMemories: 'TRANSFER', underTheirName: 0, user: USER },
      { input: { userId: ID, sharedMemories: 'TRANSFER', transferTo: ID } },
    ],
    [
      `users erase ${ID} Mia --memories erase --yes`,
      'eraseUser',
      ERASURE,
      { input: { userId: ID, confirmName: 'Mia', sharedMemories: 'ERASE' } },
    ],
    ...encoderLines(ID, AT),
    ['erasures list', 'erasures', page(ERASURE), { first: 20 }],
    [`erasures show ${ID}`, 'erasure', ERASURE, { id: ID }],
    [`invitations revoke ${ID} --yes`, 'revokeInvitation', INVITATION, { id: ID }],
    ['invitations list', 'invitations', page(INVITATION), { first: 20 }],
    [`identities list --user ${ID}`, 'identities', page(IDENTITY), { userId: ID }],
    [`identities unlink ${ID} --yes`, 'unlinkIdentity', { id: ID }, { id: ID }],
    ['projects list --archived', 'projects', page(PROJECT), { archived: true }],
    [
      'projects update web-shop --slug shop',
      'updateProject',
      PROJECT,
      { project: 'web-shop', input: { slug: 'shop' } },
    ],
    ['projects update web-shop --review on', 'updateProject', PROJECT, { input: { reviewRequired: true } }],
    [
      'groups create pay --projects a,b',
      'createGroup',
      GROUP,
      { input: { slug: 'pay', name: 'pay', projects: ['a', 'b'] } },
    ],
    [
      'groups remove pay a --move-back --yes',
      'removeProjectFromGroup',
      GROUP,
      { group: 'pay', project: 'a', moveBack: true },
    ],
    ['projects archive web-shop --yes', 'archiveProject', PROJECT, { project: 'web-shop' }],
    ['projects add-remote web-shop git@h.example:a/b', 'addRemote', PROJECT, { remote: 'git@h.example:a/b' }],
    [
      `members add web-shop ${ID} --role reader`,
      'addMember',
      { role: 'READER', user: USER },
      { input: { project: 'web-shop', userId: ID, role: 'READER' } },
    ],
    ['tenant update --time-zone Europe/Zurich', 'updateTenant', TENANT, { input: { timeZone: 'Europe/Zurich' } }],
    [
      'settings set retrieval.max_recall_items 8 --project web-shop',
      'setSetting',
      SETTING,
      { input: { key: 'retrieval.max_recall_items', value: '8', project: 'web-shop' } },
    ],
    ['settings reset bellman.gamma --yes', 'resetSetting', SETTING, { input: { key: 'bellman.gamma' } }],
    ['settings list', 'settings', [SETTING], {}],
    [
      'rules create First --effect boost --factor 1.1 --kinds decision,todo --max-age-days 7.5 --level tenant --off',
      'createRecallRule',
      RULE,
      {
        level: 'TENANT',
        input: {
          name: 'First',
          effect: 'BOOST',
          factor: 1.1,
          enabled: false,
          conditions: { kinds: ['DECISION', 'TODO'], maxAgeDays: 7.5 },
        },
      },
    ],
    [
      'audit list --action user.invited --from 2026-11-01',
      'auditLog',
      page(ENTRY),
      { filter: { action: 'user.invited', from: '2026-11-01T00:00:00.000Z' } },
    ],
    ['audit verify --head 3:' + 'ab'.repeat(32), 'verifyAudit', WHOLE, { head: { seq: '3', hash: 'ab'.repeat(32) } }],
  ];
  it.each(asPerson)('%s', async (words, field, answer, sent) => {
    await line.logIn();
    line.service.state.answers[field] = () => answer;
    expect(await line.run(['admin', ...words.split(' ')])).toMatchObject({ exitCode: 0 });
    expect(line.asked(field)).toMatchObject([sent]);
    expect(JSON.parse((await line.run(['admin', ...words.split(' '), '--json'])).out)).toBeTypeOf('object');
  });

  it.each([
    ['users list --role king', 'owner, admin, member, viewer'],
    [`users remove ${ID} --yes`, '--memories'],
    [`users erase ${ID} Mia --yes`, '--memories'],
    [`users erase ${ID} Mia --memories transfer --yes`, '--to'],
    [`users remove ${ID} --memories transfer --yes`, '--to'],
    ['projects update web-shop', '--name, --slug or --review'],
    ['schedule set --at noon', '03:30'],
    ['schedule set', '--pause'],
    ['users list --limit 0', '--limit'],
    ['rules create First', '--effect'],
    ['rules create First --effect boost --factor much', '--factor'],
    ['rules create First --effect first --kinds rumour', 'decision'],
    ['audit verify --head 3', 'SEQ:HASH'],
    ['audit list --from yesterday', '--from'],
  ])('%s is refused before anything is sent, with what is possible', async (words, told) => {
    await line.logIn();
    const ran = await line.run(['admin', ...words.split(' ')]);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining(told) });
    expect(line.service.state.asked).toEqual([]);
  });

  it('tell of a broken chain by exit code 5, and of a whole one with its head', async () => {
    await line.run(['admin', 'login', '--server', line.service.url], 'good-code');
    line.service.state.answers['verifyOperatorLog'] = () => WHOLE;
    expect((await line.run(['admin', 'log', 'verify'])).out).toContain('Head: 3:ab');
    line.service.state.answers['verifyOperatorLog'] = () => ({
      ...WHOLE,
      intact: false,
      firstBadSeq: '2',
      fault: 'CONTENT',
    });
    expect(await line.run(['admin', 'log', 'verify'])).toMatchObject({
      exitCode: 5,
      err: expect.stringContaining('row 2: it was changed'),
    });
  });
});
