import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../../testing/command-line.js';

const ID = '44444444-0000-4000-8000-000000000004';
const AT = '2026-11-01T03:00:00.000Z';
const RUN = {
  ...{ id: ID, kind: 'PRUNE', dryRun: true, status: 'CANCELLED', runDate: '2026-11-01', requestedAt: AT },
  ...{ startedAt: AT, finishedAt: null, failure: null, report: null },
  steps: [{ step: 'PRUNE', state: 'NOT_DONE', pages: 1, looked: 2, changed: 1, setAside: 1 }],
};

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
});
afterEach(() => line.close());

const page = (node: object): object => ({ nodes: [node], pageInfo: { hasNextPage: false, endCursor: null } });

describe('the commands for maintenance', () => {
  const cases: [words: string, field: string, answer: unknown, sent: object][] = [
    [
      'schedule set --at 03:05 --resume',
      'setSchedule',
      {
        kind: 'NIGHTLY',
        cadence: 'NIGHTLY',
        hour: 3,
        minute: 5,
        paused: false,
        timeZone: 'UTC',
        lastOn: null,
        updatedAt: AT,
      },
      { input: { hour: 3, minute: 5, paused: false } },
    ],
    [
      'schedule set --step prune --cadence monthly --pause',
      'setSchedule',
      {
        kind: 'PRUNE',
        cadence: 'MONTHLY',
        hour: 3,
        minute: 5,
        paused: true,
        timeZone: 'UTC',
        lastOn: '2026-11-01',
        updatedAt: AT,
      },
      { input: { kind: 'PRUNE', cadence: 'MONTHLY', paused: true } },
    ],
    ['runs start --kind prune --dry-run', 'runMaintenance', RUN, { input: { kind: 'PRUNE', dryRun: true } }],
    [`runs cancel ${ID}`, 'cancelMaintenance', RUN, { id: ID }],
    [
      `runs changes ${ID}`,
      'maintenanceChanges',
      page({ step: 'PRUNE', memoryId: ID, action: 'SET_ASIDE', reasons: ['age'], intoId: null }),
      { runId: ID },
    ],
  ];
  it.each(cases)('%s', async (words, field, answer, sent) => {
    await line.logIn();
    line.service.state.answers[field] = () => answer;
    expect(await line.run(['admin', ...words.split(' ')])).toMatchObject({ exitCode: 0 });
    expect(line.asked(field)).toMatchObject([sent]);
    expect(JSON.parse((await line.run(['admin', ...words.split(' '), '--json'])).out)).toBeTypeOf('object');
  });
});
