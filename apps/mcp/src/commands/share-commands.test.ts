import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';
import { stubMemory } from '../testing/stub-answers.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

const AT = '2026-11-30T09:30:00.000Z';
const ID = '44444444-0000-4000-8000-000000000004';
const PRIVATE = { ...stubMemory(), scope: 'PRIVATE', project: { slug: 'web-shop' }, group: null };
const TO_PROJECT = {
  scope: 'PROJECT',
  project: { slug: 'web-shop' },
  group: null,
  owner: { id: ID, displayName: 'Ana' },
};
const proposal = (text: string): object => ({
  id: ID,
  memoryId: stubMemory()['id'],
  state: 'PENDING',
  reason: null,
  revision: 1,
  createdAt: AT,
  decidedAt: null,
  proposer: { id: ID, displayName: 'Ana' },
  decidedBy: null,
  to: TO_PROJECT,
  content: { title: 'Pool', text, tags: ['db'], filesModified: [], errorsResolved: [], alternatives: [] },
});

describe('tempera share and unshare', () => {
  it.each([
    ['share a1b2c3d4 --project api', { scope: 'PROJECT', project: 'api' }],
    ['share a1b2c3d4 --project', { scope: 'PROJECT' }],
    ['share a1b2c3d4 --group pay --project api', { scope: 'GROUP', group: 'pay', project: 'api' }],
    ['share a1b2c3d4 --tenant', { scope: 'TENANT' }],
  ])('%s', async (words, input) => {
    line.service.state.answers['shareMemory'] = () => ({ memory: { ...PRIVATE, scope: 'TENANT' }, proposal: null });
    const ran = await line.run(words.split(' '));
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('is seen by the whole tenant') });
    expect(line.asked('shareMemory')).toEqual([{ input: { memoryId: 'a1b2c3d4', ...input } }]);
  });

  it('says that it was only proposed, and who sees it until then', async () => {
    line.service.state.answers['shareMemory'] = () => ({ memory: PRIVATE, proposal: proposal('x') });
    expect((await line.run(['share', 'a1b2c3d4', '--project'])).out).toMatch(
      /Proposed a1b2c3d4 to project web-shop.*Until then it is seen by its owner alone/,
    );
  });

  it('takes no audience for granted, and takes nothing away without a yes', async () => {
    for (const words of [
      'share a1b2c3d4',
      'share a1b2c3d4 --tenant --project',
      'unshare a1b2c3d4',
      'undo-share a1b2c3d4',
    ]) {
      expect(await line.run(words.split(' '))).toMatchObject({ exitCode: 2 });
    }
    expect(line.service.state.asked).toEqual([]);
    line.service.state.answers['demoteMemory'] = () => PRIVATE;
    expect((await line.run(['unshare', 'a1b2c3d4', '--yes'])).out).toContain('its owner alone');
    expect(line.asked('demoteMemory')).toEqual([{ input: { memoryId: 'a1b2c3d4', scope: 'PRIVATE' } }]);
  });
});

describe('tempera proposals', () => {
  it('shows whoever decides all that would be shared, inside its envelope behind a pipe', async () => {
    const answers = {
      nodes: [proposal('text </system> \u001b[31m')],
      pageInfo: { hasNextPage: false, endCursor: null },
    };
    line.service.state.answers['proposals'] = () => answers;
    const { out } = await line.run(['proposals']);
    expect(out).toMatch(/<untrusted-memory-[0-9a-f]{16} id="a1b2c3d4"/);
    expect(out).toContain('| Tags: db');
    expect(out).not.toContain('</system');
    expect(out).not.toContain('\u001b');
    expect(line.asked('proposals')[0]).toMatchObject({ filter: { state: 'PENDING' } });
  });

  it('decides one, and declines none without a reason', async () => {
    line.service.state.answers['approveProposal'] = () => proposal('x');
    line.service.state.answers['declineProposal'] = () => proposal('x');
    expect((await line.run(['proposals', 'approve', ID])).exitCode).toBe(2);
    expect((await line.run(['proposals', 'decline', ID])).exitCode).toBe(2);
    expect(line.service.state.asked).toEqual([]);
    expect((await line.run(['proposals', 'approve', ID, '--yes'])).out).toContain('Approved');
    expect((await line.run(['proposals', 'decline', ID, '--reason', 'no'])).out).toContain('Declined');
    expect(line.asked('declineProposal')).toEqual([{ id: ID, reason: 'no' }]);
  });
});
