import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  CANCEL_RUN,
  LIST_RUNS,
  RUN_CHANGES,
  SCHEDULES,
  SET_SCHEDULE,
  SHOW_RUN,
  START_RUN,
} from '../../graphql/admin-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given } from '../command.js';
import { RUNS } from '../known-id.js';
import { printList } from '../pages.js';
import { factLines, LIMIT_OPTION, named, showDone, showList } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const scheduleShape = z.object({
  kind: z.string(),
  cadence: z.string(),
  hour: z.number(),
  minute: z.number(),
  paused: z.boolean(),
  timeZone: z.string(),
  lastOn: z.string().nullable(),
  updatedAt: z.string().nullable(),
});
type Schedule = z.output<typeof scheduleShape>;

const timeOf = ({ hour, minute }: Schedule): string =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');

const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { heading: 'work', cell: ({ kind }) => kind.toLowerCase() },
  { heading: 'how often', cell: ({ cadence }) => cadence.toLowerCase() },
  { heading: 'at', cell: timeOf },
  { heading: 'zone', cell: ({ timeZone }) => timeZone },
  { heading: 'state', cell: ({ paused }) => (paused ? 'paused' : 'on') },
  { heading: 'last for', cell: ({ lastOn }) => lastOn },
  { heading: 'changed', cell: ({ updatedAt }) => minuteText(updatedAt) },
];

const wordOf = (word: unknown): string | undefined => (word === undefined ? undefined : String(word).toUpperCase());

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
  const cadence = wordOf(call.options['cadence']);
  const change = given({ ...readTime(call.options['at']), cadence, paused });
  if (Object.keys(change).length === 0) {
    throw new AppError('invalid-input', 'no-change', 'Nothing to change: say --at, --cadence, --pause or --resume.');
  }
  const input = given({ kind: wordOf(call.options['step']), ...change });
  const schedule = await call.asker.ask(SET_SCHEDULE, { input }, 'setSchedule', scheduleShape, true);
  const state = schedule.paused ? 'paused' : 'on';
  const often = schedule.kind === 'NIGHTLY' ? '' : `${schedule.cadence.toLowerCase()}, in the night `;
  const told = `${schedule.kind.toLowerCase()} ${often}at ${timeOf(schedule)} ${named(schedule.timeZone)}, ${state}.`;
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
    summary: 'change when the nights are and how often one of their steps, or pause it',
    options: [
      ['--step <step>', 'one step of the nights, such as prune (default: the nights themselves)'],
      ['--at <time>', "a time of the day in the tenant's zone, such as 03:30"],
      ['--cadence <how-often>', 'of a step: nightly, weekly, monthly, quarterly'],
      ['--pause', 'until it is resumed'],
      ['--resume', 'after a pause'],
    ],
    examples: ['schedule set --at 03:30', 'schedule set --pause', 'schedule set --step prune --cadence monthly'],
    run: setSchedule,
  },
};

const runShape = z.object({
  id: z.string(),
  kind: z.string(),
  dryRun: z.boolean(),
  status: z.string(),
  runDate: z.string(),
  requestedAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  failure: z.string().nullable(),
  report: z
    .object({
      expired: z.number(),
      credited: z.number(),
      snapshots: z.number(),
      sources: z.number(),
      touched: z.number(),
      hops: z.number(),
      residual: z.number(),
      converged: z.boolean(),
      merged: z.number(),
      proposed: z.number(),
      guarded: z.number(),
      pruned: z.number(),
      erased: z.number(),
      cleared: z.number(),
      removed: z.number(),
      profiles: z.number(),
      measured: z.number(),
      setAside: z.number(),
    })
    .nullable(),
  steps: z.array(
    z.object({
      step: z.string(),
      state: z.string(),
      pages: z.number(),
      looked: z.number(),
      changed: z.number(),
      setAside: z.number(),
    }),
  ),
});
type Run = z.output<typeof runShape>;

const RUN_COLUMNS: readonly Column<Run>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'what', cell: (run) => whatOf(run) },
  { heading: 'for', cell: ({ runDate }) => runDate },
  { heading: 'status', cell: ({ status }) => status.toLowerCase() },
  { heading: 'asked for', cell: ({ requestedAt }) => minuteText(requestedAt) },
  { heading: 'finished', cell: ({ finishedAt }) => minuteText(finishedAt) },
  { heading: 'changed', cell: ({ steps }) => steps.reduce((total, { changed }) => total + changed, 0) },
  { heading: 'set aside', cell: ({ steps }) => steps.reduce((total, { setAside }) => total + setAside, 0) },
];

const whatOf = ({ kind, dryRun }: Run): string => `${kind.toLowerCase()}${dryRun ? ' (dry run)' : ''}`;

const stepLine = ({ state, pages, looked, changed, setAside }: Run['steps'][number]): string => {
  const aside = setAside === 0 ? '' : `, ${setAside} set aside`;
  return `${state.toLowerCase().replace('_', ' ')}: ${pages} pages, looked at ${looked}, changed ${changed}${aside}`;
};

const runLines = ({ report, ...run }: Run): string[] =>
  factLines([
    ['id', run.id],
    ['what', whatOf({ report, ...run })],
    ['for', run.runDate],
    ['status', run.status.toLowerCase()],
    ['asked for', minuteText(run.requestedAt)],
    ['started', minuteText(run.startedAt)],
    ['finished', minuteText(run.finishedAt)],
    ...(run.failure === null ? [] : [['failure', run.failure] as const]),
    ...run.steps.map((step) => [step.step.toLowerCase(), stepLine(step)] as const),
    ...(report === null ? [] : Object.entries(report).map(([name, value]) => [name, String(value)] as const)),
  ]);

const changeShape = z.object({
  step: z.string(),
  memoryId: z.string(),
  action: z.string(),
  reasons: z.array(z.string()),
  intoId: z.string().nullable(),
});

const CHANGE_COLUMNS: readonly Column<z.output<typeof changeShape>>[] = [
  { heading: 'step', cell: ({ step }) => step.toLowerCase() },
  { heading: 'memory', cell: ({ memoryId }) => memoryId },
  { heading: 'what', cell: ({ action }) => action.toLowerCase().replace('_', ' ') },
  { heading: 'why', cell: ({ reasons }) => reasons.join(', ') },
  { heading: 'into', cell: ({ intoId }) => intoId },
];

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
    options: [
      ['--date <day>', "the day it is for, such as 2026-01-31 (default: today in the tenant's zone)"],
      ['--kind <step>', 'one step alone, such as expire, prune or purge (default: a whole night)'],
      ['--dry-run', 'only tell what it would do: of a night, the steps that remove or join memories'],
    ],
    examples: ['runs start', 'runs start --date 2026-01-31', 'runs start --kind prune --dry-run'],
    run: async (call) => {
      const kind = wordOf(call.options['kind']);
      const dryRun = call.options['dryRun'] === true ? true : undefined;
      const input = given({ runDate: call.options['date'], kind, dryRun });
      const run = await call.asker.ask(START_RUN, { input }, 'runMaintenance', runShape, false);
      const told = `run ${run.id} (${whatOf(run)}) for ${run.runDate}: \`tempera admin runs show ${run.id}\`.`;
      showDone(call, 'Asked for', told, run);
    },
  },
  changes: {
    args: '<id>',
    ids: { 0: RUNS },
    summary: 'list what a run did to memories that you see, or of a dry run would do',
    options: [LIMIT_OPTION],
    examples: ['runs changes 0192f0c4-0000-4000-8000-000000000001'],
    run: (call) =>
      showList(
        call,
        { query: RUN_CHANGES, field: 'maintenanceChanges', node: changeShape },
        { runId: call.args[0] },
        CHANGE_COLUMNS,
        'Nothing changed that you see.',
      ),
  },
  cancel: {
    args: '<id>',
    ids: { 0: RUNS },
    summary: 'cancel a run that has not ended; what its pages did stays',
    examples: ['runs cancel 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const run = await call.asker.ask(CANCEL_RUN, { id: call.args[0] }, 'cancelMaintenance', runShape, true);
      showDone(call, run.status === 'CANCELLED' ? 'Cancelled' : 'Left as it is:', `run ${run.id}.`, run);
    },
  },
};
