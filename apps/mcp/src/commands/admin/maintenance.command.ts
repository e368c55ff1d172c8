import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { LIST_RUNS, SCHEDULES, SET_SCHEDULE, SHOW_RUN, START_RUN } from '../../graphql/admin-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given } from '../command.js';
import { RUNS } from '../known-id.js';
import { printList } from '../pages.js';
import { factLines, LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const scheduleShape = z.object({
  kind: z.string(),
  hour: z.number(),
  minute: z.number(),
  paused: z.boolean(),
  timeZone: z.string(),
  updatedAt: z.string(),
});
type Schedule = z.output<typeof scheduleShape>;

const timeOf = ({ hour, minute }: Schedule): string =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');

const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { heading: 'work', cell: ({ kind }) => kind.toLowerCase() },
  { heading: 'at', cell: timeOf },
  { heading: 'zone', cell: ({ timeZone }) => timeZone },
  { heading: 'state', cell: ({ paused }) => (paused ? 'paused' : 'on') },
  { heading: 'changed', cell: ({ updatedAt }) => minuteText(updatedAt) },
];

const readTime = (at: unknown): { hour?: number; minute?: number } => {
  if (at === undefined) return {};
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(String(at)) ?? [];
  if (hour === undefined || minute === undefined) {
    throw new AppError('invalid-input', 'time', '--at is a time of the day, such as 03:30.');
  }
  return { hour: Number(hour), minute: Number(minute) };
};

const setSchedule = async (call: Call): Promise<void> => {
  const { pause, resume } = call.options;
  if (pause === true && resume === true) {
    throw new AppError('invalid-input', 'pause-and-resume', 'Give either --pause or --resume, not both.');
  }
  const paused = pause === true ? true : resume === true ? false : undefined;
  const input = given({ ...readTime(call.options['at']), paused });
  if (Object.keys(input).length === 0) {
    throw new AppError('invalid-input', 'no-change', 'Nothing to change: say --at, --pause or --resume.');
  }
  const schedule = await call.asker.ask(SET_SCHEDULE, { input }, 'setSchedule', scheduleShape, true);
  const state = schedule.paused ? 'paused' : 'on';
  const told = `${schedule.kind.toLowerCase()} at ${timeOf(schedule)} ${named(schedule.timeZone)}, ${state}.`;
  showDone(call, 'Set:', told, schedule);
};

/** `tempera admin schedule` */
export const SCHEDULE_VERBS: Verbs = {
  list: {
    summary: 'list when recurring work is wanted',
    examples: ['schedule list'],
    run: async ({ asker, terminal }) => {
      const nodes = await asker.ask(SCHEDULES, {}, 'schedules', z.array(scheduleShape), true);
      printList(terminal, { nodes, hasMore: false }, SCHEDULE_COLUMNS, 'Nothing recurs.');
    },
  },
  set: {
    summary: 'change when the nightly work is wanted, or pause it',
    options: [
      ['--at <time>', "a time of the day in the tenant's zone, such as 03:30"],
      ['--pause', 'until it is resumed'],
      ['--resume', 'after a pause'],
    ],
    examples: ['schedule set --at 03:30', 'schedule set --pause'],
    run: setSchedule,
  },
};

const runShape = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  runDate: z.string(),
  requestedAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  failure: z.string().nullable(),
  report: z
    .object({
      snapshots: z.number(),
      credited: z.number(),
      sources: z.number(),
      touched: z.number(),
      hops: z.number(),
      residual: z.number(),
      converged: z.boolean(),
    })
    .nullable(),
});
type Run = z.output<typeof runShape>;

const RUN_COLUMNS: readonly Column<Run>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'for', cell: ({ runDate }) => runDate },
  { heading: 'status', cell: ({ status }) => status.toLowerCase() },
  { heading: 'asked for', cell: ({ requestedAt }) => minuteText(requestedAt) },
  { heading: 'finished', cell: ({ finishedAt }) => minuteText(finishedAt) },
  { heading: 'looked at', cell: ({ report }) => report?.snapshots ?? null },
  { heading: 'loans changed', cell: ({ report }) => report?.touched ?? null },
];

const runLines = ({ report, ...run }: Run): string[] =>
  factLines([
    ['id', run.id],
    ['for', run.runDate],
    ['status', run.status.toLowerCase()],
    ['asked for', minuteText(run.requestedAt)],
    ['started', minuteText(run.startedAt)],
    ['finished', minuteText(run.finishedAt)],
    ...(run.failure === null ? [] : [['failure', run.failure] as const]),
    ...(report === null ? [] : Object.entries(report).map(([name, value]) => [name, String(value)] as const)),
  ]);

/** `tempera admin runs` */
export const RUN_VERBS: Verbs = {
  list: {
    summary: 'list maintenance runs, newest first',
    options: [LIMIT_OPTION],
    examples: ['runs list --limit 7'],
    run: (call) =>
      showList(call, { query: LIST_RUNS, field: 'maintenanceRuns', node: runShape }, {}, RUN_COLUMNS, 'No runs yet.'),
  },
  show: {
    args: '<id>',
    ids: { 0: RUNS },
    summary: 'show one run with its report',
    examples: ['runs show 0192f0c4-0000-4000-8000-000000000001'],
    run: async ({ asker, terminal, args }) => {
      const run = await asker.ask(SHOW_RUN, { id: args[0] }, 'maintenanceRun', runShape, true);
      terminal.result(runLines(run), run);
    },
  },
  start: {
    summary: 'ask for a run now; the worker picks it up at once',
    options: [['--date <day>', "the day it is for, such as 2026-01-31 (default: today in the tenant's zone)"]],
    examples: ['runs start', 'runs start --date 2026-01-31'],
    run: async (call) => {
      const input = given({ runDate: call.options['date'] });
      const run = await call.asker.ask(START_RUN, { input }, 'runMaintenance', runShape, false);
      showDone(call, 'Asked for', `run ${run.id} for ${run.runDate}: \`tempera admin runs show ${run.id}\`.`, run);
    },
  },
};
