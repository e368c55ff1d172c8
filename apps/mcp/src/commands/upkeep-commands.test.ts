import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;
const id = (n: number): string => `${String(n).repeat(8)}-0000-4000-8000-000000000001`;
const memory = { id: id(1), title: 'The old coat hooks' };
const judged = { memory, utility: 0.02, daysUnused: 400, reasons: ['AGE'] };
const cluster = {
  survivor: { id: id(2), title: 'The pool' },
  merged: [{ id: id(3), title: 'The pool' }],
  similarity: 0.98,
  acrossAuthors: false,
};
const looked = { analysed: 1_000, total: 2_000, complete: true, nextAfter: null };

beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
});
afterEach(() => line.close());

describe('tempera prune', () => {
  it('is a dry run with the limits that were typed, over all parts of a large project', async () => {
    const parts = [
      { ...looked, nextAfter: id(7), runId: null, remaining: 1, memories: [judged] },
      { ...looked, runId: null, remaining: 0, memories: [] },
    ];
    line.service.state.answers['cleanup'] = () => parts.shift();
    const ran = await line.run(['prune', '--project', 'web-shop', '--older-than', '90', '--min-utility', '0.2']);
    expect(ran.exitCode).toBe(0);
    expect(ran.out).toContain('Project web-shop: Looked at all 2000 memories.');
    expect(ran.out).toContain('Nothing was changed. 1 would be.');
    // Behind a pipe an agent may read: stored text stands in its envelope, as that of every other command.
    expect(ran.out).toMatch(
      /<untrusted-memory-[0-9a-f]{16} id="prunable">\n\| 11111111 \(age\) 2\s?% useful, unused 400 days: The old coat hooks\n<\//,
    );
    expect(ran.out).toContain('tempera prune --project web-shop --older-than 90 --min-utility 0.2 --execute`');
    const input = { project: 'web-shop', execute: false, olderThanDays: 90, minUtility: 0.2 };
    expect(line.asked('cleanup')).toEqual([
      { input: { ...input, after: null } },
      { input: { ...input, after: id(7) } },
    ]);
  });

  it('goes on until nothing is left, and tells every run by which it is taken back', async () => {
    const parts = [
      { ...looked, runId: id(5), remaining: 1, memories: [judged] },
      { ...looked, runId: id(6), remaining: 0, memories: [judged] },
    ];
    line.service.state.answers['cleanup'] = () => parts.shift();
    const ran = await line.run(['prune', '--private', '--execute']);
    expect(ran.out).toContain('Archived 2.');
    expect(ran.out).toMatch(/undo 55555555 66666666/);
    expect(line.asked('cleanup')).toHaveLength(2);
  });

  it('says what was looked at where there is nothing to do, as the tool does', async () => {
    line.service.state.answers['cleanup'] = () => ({ ...looked, runId: null, remaining: 0, memories: [] });
    const ran = await line.run(['prune', '--private']);
    expect(ran.out).toBe('Your private memories: Looked at all 2000 memories.\nThere is nothing to do.\n');
    line.service.state.answers['consolidate'] = () => ({ ...looked, runId: null, remaining: 3, clusters: [cluster] });
    const repeated = (await line.run(['consolidate', '--private', '--across-authors'])).out;
    expect(repeated).toContain('3 would be, 1 shown.');
    expect(repeated).toContain('tempera consolidate --private --across-authors --execute`');
    expect(repeated).toMatch(/^\| 22222222 ← 33333333/m);
  });

  it.each([[['--older-than', 'long']], [['--min-utility', 'x']]])(
    'refuses %j before anything is sent',
    async (words) => {
      expect((await line.run(['prune', ...words])).exitCode).toBe(2);
      expect(line.service.state.asked).toEqual([]);
    },
  );
});

describe('tempera consolidate, merge and undo', () => {
  it('tell what stays and what goes into it, and how to take it back', async () => {
    const { answers } = line.service.state;
    answers['consolidate'] = () => ({ ...looked, runId: id(5), remaining: 0, clusters: [cluster] });
    const ran = await line.run(['consolidate', '--private', '--execute', '--across-authors']);
    expect(ran.out).toMatch(/22222222 ← 33333333 \(98\s?% alike\): The pool/);
    expect(ran.out).toMatch(/undo 55555555/);
    expect(line.asked('consolidate')).toEqual([
      { input: { project: null, execute: true, acrossAuthors: true, after: null } },
    ]);
    answers['merge'] = () => ({ runId: id(5), survivor: cluster.survivor, mergedIds: [id(3)] });
    expect((await line.run(['merge', '22222222', '33333333'])).out).toContain('Merged 1 into 22222222 The pool.');
    expect(line.asked('merge')).toEqual([{ ids: ['22222222', '33333333'] }]);
    answers['undo'] = () => ({ runId: id(5), restoredIds: [id(3)], skippedIds: [id(4)] });
    const undone = await line.run(['undo', '55555555', '66666666']);
    expect(undone.out).toContain('2 memories are in use again. Left as they are, changed or back since: 44444444');
    expect(line.asked('undo')).toEqual([{ id: '55555555' }, { id: '66666666' }]);
  });

  it('lists what can be taken back, of people and of nights, and what was', async () => {
    const run = { kind: 'CONSOLIDATE', project: 'shop', groupId: null, merged: 2, pruned: 0 };
    const at = '2026-11-20T03:10:00.000Z';
    line.service.state.answers['upkeepRuns'] = () => ({
      nodes: [{ ...run, id: id(5), madeBy: null, maintenanceRunId: id(6), createdAt: at, undoneAt: null }],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    const listed = await line.run(['undoable']);
    expect(listed.out).toMatch(/55555555 +consolidate +shop +a night +2026-11-20 03:10Z +2 +0/);
    expect((await line.run(['undoable', '--undone', '--limit', '3'])).exitCode).toBe(0);
    expect(line.asked('upkeepRuns')).toEqual([
      { first: 20, after: null, undone: false },
      { first: 3, after: null, undone: true },
    ]);
  });
});
