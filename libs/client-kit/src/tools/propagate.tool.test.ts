import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.js';
import type { RunView } from '../memory-view.js';
import { toolByName } from './catalogue.js';
import { contextOf } from './samples.testing.js';
import { answerForAgent } from './tool.js';

const tool = toolByName('tempera_propagate');
const REPORT = { credited: 2, sources: 3, hops: 2, touched: 9, residual: 0.0004, converged: true };
const RUN: RunView = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  runDate: '2026-11-30',
  status: 'REQUESTED',
  requestedAt: new Date('2026-11-30T12:00:00Z'),
  finishedAt: null,
  failure: null,
  report: null,
};
const PREVIEW = { sources: 1, hops: 1, touched: 4, residual: 0.2, converged: false };

/** A run that is over when it has been asked for so many times. */
const running = (over: Partial<RunView>, after: number) => {
  const asked: string[] = [];
  let left = after;
  const context = contextOf({
    startRun: (kind) => (asked.push(kind), Promise.resolve(RUN)),
    run: (id) => (
      asked.push(id),
      (left -= 1),
      Promise.resolve(left > 0 ? { ...RUN, status: 'RUNNING' } : { ...RUN, ...over })
    ),
  });
  return { asked, context };
};

describe('tempera_propagate', () => {
  it('asks for lending alone, or with temporal for the whole night, and waits no longer than it is told', async () => {
    const done = running({ status: 'COMPLETED', report: REPORT }, 3);
    const answer = await tool.call({ temporal: true, wait: 30 }, done.context);
    expect(done.asked).toEqual(['NIGHTLY', RUN.id, RUN.id, RUN.id]);
    expect(answerForAgent(answer)).toContain(
      '3 sources lend over 2 hops; 9 loans changed by less than 1 %, so it has converged. Credits given or withdrawn: 2.',
    );
    expect(answer.structured).toMatchObject({ dryRun: false, runId: RUN.id, status: 'completed', report: REPORT });
    const slow = running({}, 100);
    const unfinished = await tool.call({ wait: 2 }, slow.context);
    expect(slow.asked).toEqual(['PROPAGATE', RUN.id, RUN.id]);
    expect(answerForAgent(unfinished)).toContain(`running. It goes on; \`tempera admin runs show ${RUN.id}\``);
    const atOnce = running({}, 100);
    await tool.call({}, atOnce.context);
    expect(atOnce.asked).toEqual(['PROPAGATE']);
  });

  it('fails with a run that failed, and says why', async () => {
    const { context } = running({ status: 'FAILED', failure: 'The run was stopped.' }, 1);
    const answer = await tool.call({ wait: 5 }, context);
    expect(answer).toMatchObject({ failed: true, structured: { status: 'failed' } });
    expect(answerForAgent(answer)).toContain('The run was stopped.');
  });

  it('is a dry run, and says so, for who may not start runs; any other refusal stands', async () => {
    const asked: (string | null)[] = [];
    const refusing = (kind: 'forbidden' | 'unavailable') =>
      contextOf({
        startRun: () => Promise.reject(new AppError(kind, 'role', 'No.')),
        previewPropagation: (project) => (asked.push(project), Promise.resolve(PREVIEW)),
      });
    const answer = await tool.call({}, refusing('forbidden'));
    expect(answerForAgent(answer)).toMatch(
      /^A dry run, .*Project web-shop: 1 source lends over 1 hop; 4 loans would change by at most 20 %\.$/,
    );
    expect(answer.structured).toMatchObject({ dryRun: true, runId: null, report: PREVIEW });
    await tool.call({ project: 'api' }, refusing('forbidden'));
    expect(asked).toEqual(['web-shop', 'api']);
    await expect(tool.call({}, refusing('unavailable'))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
