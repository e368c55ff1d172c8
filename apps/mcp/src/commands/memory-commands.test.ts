import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { refusal } from '../testing/stub-service.js';

let line: CommandLine;
const ID = '44444444-0000-4000-8000-000000000004';
const memory = { id: ID, title: 'The pool', revision: 3, state: 'ACTIVE', stateReason: null, pinned: false, tags: [] };

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  const { answers } = line.service.state;
  answers['memory'] = () => memory;
  answers['editMemory'] = () => ({
    memory: { ...memory, revision: 4 },
    changed: ['text'],
    redacted: [],
    conflicts: [{ memory: { id: ID, title: 'Other' }, differences: ['number: 20 / 40'] }],
  });
  for (const field of ['setPinned', 'archiveMemory', 'refuteMemory', 'restoreMemory', 'forgetMemory'])
    answers[field] = () => memory;
});
afterEach(() => line.close());

describe('tempera edit', () => {
  it('lets no secret leave the machine, and says what it took out', async () => {
    const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcD5f'].join('_');
    const ran = await line.run(['edit', '44444444', '--text', `push with ${secret}`, '--tags', secret]);
    expect(ran.out).toContain('removed 2 github-pat');
    expect(line.asked('editMemory')).toMatchObject([{ input: { text: 'push with [REDACTED:github-pat]' } }]);
    expect(JSON.stringify(line.asked('editMemory'))).not.toContain(secret);
  });

  it('edits the revision that is there, sends only what was said, and tells what it contradicts', async () => {
    const ran = await line.run([
      'edit',
      '44444444',
      '--text',
      'The pool has 40',
      '--outcome',
      'none',
      '--tags',
      'a, b',
    ]);
    expect(ran).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('contradicts 44444444 Other: number: 20 / 40'),
    });
    expect(ran.out).toContain('Edited 44444444 The pool (text); revision 4.');
    const input = {
      text: 'The pool has 40',
      outcome: null,
      tags: ['a', 'b'],
      idempotencyKey: expect.any(String) as string,
    };
    expect(line.asked('editMemory')).toEqual([{ id: '44444444', expectedRevision: 3, input }]);
  });

  it('takes a revision, and tells with exit code 5 that there is another', async () => {
    line.service.state.answers['editMemory'] = () =>
      refusal('CONFLICT', 'The memory is at revision 3.', 'stale-revision');
    const ran = await line.run(['edit', ID, '--title', 'Pools', '--revision', '2']);
    expect(ran).toMatchObject({ exitCode: 5, err: expect.stringContaining('revision 3') });
    expect(line.asked('memory')).toEqual([]);
  });

  it.each([
    [['expire', ID, '2027-01-31'], '2027-01-31T00:00:00.000Z'],
    [['expire', ID, 'none'], null],
    [['edit', ID, '--expires', '2027-01-31T12:00:00+02:00'], '2027-01-31T10:00:00.000Z'],
  ])('%j sends a date as the moment it begins', async (words, expiresAt) => {
    expect((await line.run(words)).exitCode).toBe(0);
    expect(line.asked('editMemory')).toMatchObject([{ input: { expiresAt } }]);
  });

  it.each([
    [[]],
    [['--expires', 'soon']],
    [['--kind', 'secret']],
    [['--outcome', 'maybe']],
    [['--title', 'x', '--revision', 'two']],
  ])('refuses %j before anything is sent', async (words) => {
    expect((await line.run(['edit', ID, ...words])).exitCode).toBe(2);
    expect(line.asked('editMemory')).toEqual([]);
  });
});

describe('tempera pin, unpin, archive, refute, restore, forget', () => {
  it.each([
    ['pin', [], 'setPinned', { pinned: true }],
    ['unpin', [], 'setPinned', { pinned: false }],
    ['archive', ['--reason', 'sold'], 'archiveMemory', { reason: 'sold' }],
    ['refute', ['--by', 'b2c3d4e5', '--reason', 'measured'], 'refuteMemory', { by: 'b2c3d4e5', reason: 'measured' }],
    ['restore', [], 'restoreMemory', {}],
    ['forget', [], 'forgetMemory', {}],
  ])('%s says what was done', async (verb, words, field, variables) => {
    const ran = await line.run([verb, ID, ...words]);
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('44444444 The pool.') });
    expect(line.asked(field)).toEqual([{ id: ID, ...variables }]);
    expect(JSON.parse((await line.run([verb, ID, '--json'])).out)).toMatchObject({ id: ID });
  });
});
