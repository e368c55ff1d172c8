import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@tempera/client-kit';
import type { z } from 'zod';
import {
  CANCEL_ENCODER_CHANGE,
  CHANGE_ENCODER,
  ENCODERS,
  PREVIEW_ENCODER_CHANGE,
} from '../../graphql/encoder-operations.js';
import { Progress } from '../../output/progress.js';
import { minuteText } from '../../output/table.js';
import { factLines, showDone } from '../lists.js';
import { printList } from '../pages.js';
import type { Call, Verbs } from '../verb.js';
import {
  type Change,
  CHANGE_COLUMNS,
  changeShape,
  ENCODER_COLUMNS,
  encodersShape,
  type Figures,
  figuresShape,
} from './encoder-shapes.js';

const BEFORE_SWITCH = ['MEMORIES', 'QUESTIONS', 'SWITCHING'];
const LOOK_MS = 2_000;

const look = ({ asker }: Call): Promise<z.output<typeof encodersShape>> =>
  asker.ask(ENCODERS, {}, 'encoders', encodersShape, true);

const latestOf = async (call: Call): Promise<Change> => {
  const [latest] = (await look(call)).changes;
  if (latest === undefined) throw new AppError('not-found', 'no-such-change', 'No encoder was ever changed here.');
  return latest;
};

/** Follows a change until the new encoder counts, or it is cancelled. */
const watch = async (call: Call): Promise<void> => {
  const progress = new Progress(call.world, call.terminal.isForPerson, 'memories read');
  try {
    for (;;) {
      const change = await latestOf(call);
      progress.show(change.figures.done + change.figures.setAside, change.figures.memories);
      if (!BEFORE_SWITCH.includes(change.status) || change.waitsFor !== null) return tell(call, change);
      await wait(LOOK_MS);
    }
  } finally {
    progress.end();
  }
};

const tell = (call: Call, change: Change): void => {
  const { toEncoder, status, waitsFor, figures } = change;
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['to', toEncoder],
    ['status', status.toLowerCase()],
    ['memories read', figures.done],
    ['set aside', figures.setAside],
    ['questions lost', figures.questionsLost],
    ['switched', minuteText(change.switchedAt)],
    ['old kept until', minuteText(change.keepUntil)],
  ];
  const waiting = waitsFor === null ? [] : ['', 'It waits for the index: npm run tenant:partition, by an operator.'];
  call.terminal.result([...factLines(facts), ...waiting], change);
};

const daysOf = (options: Call['options']): number => {
  if (options['dropOld'] === true) return 0;
  const days = Number(options['keepDays'] ?? 7);
  if (Number.isInteger(days) && days >= 0) return days;
  throw new AppError('invalid-input', 'keep-days', '--keep-days is a number of days, 0 to 90.');
};

const preview = async (call: Call): Promise<void> => {
  const variables = { encoder: call.args[0] };
  const figures: Figures = await call.asker.ask(
    PREVIEW_ENCODER_CHANGE,
    variables,
    'previewEncoderChange',
    figuresShape,
    true,
  );
  const facts: readonly (readonly [string, number])[] = [
    ['memories', figures.memories - figures.done],
    ['parts', figures.parts],
    ['questions', figures.questions - figures.questionsDone],
    ['questions lost', figures.questionsLost],
  ];
  call.terminal.result(['It would read:', ...factLines(facts)], figures);
};

const change = async (call: Call): Promise<void> => {
  if (call.options['dryRun'] === true) return preview(call);
  const input = { encoder: call.args[0], keepDays: daysOf(call.options) };
  const begun = await call.asker.ask(CHANGE_ENCODER, { input }, 'changeEncoder', changeShape, true);
  if (call.options['watch'] === true) return watch(call);
  showDone(call, 'Changing', `to ${begun.toEncoder}; follow it: tempera admin encoders watch`, begun);
};

const cancel = async (call: Call): Promise<void> => {
  const { id } = await latestOf(call);
  const ended = await call.asker.ask(CANCEL_ENCODER_CHANGE, { id }, 'cancelEncoderChange', changeShape, true);
  showDone(call, 'Cancelled', `the change to ${ended.toEncoder}; what was read for it goes.`, ended);
};

/** `tempera admin encoders` */
export const ENCODER_VERBS: Verbs = {
  list: {
    summary: 'list the encoders that there are, and which are yours',
    examples: ['encoders list'],
    run: async (call) => {
      const { encoders: nodes } = await look(call);
      printList(call.terminal, { nodes, hasMore: false }, ENCODER_COLUMNS, 'No encoders.');
    },
  },
  changes: {
    summary: 'list changes of encoder, latest first',
    examples: ['encoders changes'],
    run: async (call) => {
      const { changes: nodes } = await look(call);
      printList(call.terminal, { nodes, hasMore: false }, CHANGE_COLUMNS, 'No encoder was ever changed here.');
    },
  },
  change: {
    args: '<encoder>',
    summary: 'change to another encoder of the same model, while everybody goes on',
    description:
      'Has everything read by the new encoder, beside the old vectors. Searches go on by the old ones until the new ones are complete; then all at once the new ones count. The old ones are kept for a change back.',
    options: [
      ['--dry-run', 'only tell how much would be read'],
      ['--keep-days <n>', 'keep the old vectors for so many days after the switch (default 7)'],
      ['--drop-old', 'do not keep them at all'],
      ['--watch', 'follow it until the new encoder counts'],
    ],
    examples: ['encoders change bge-small-en-v1.5@0123456789ab --dry-run'],
    run: change,
  },
  watch: {
    summary: 'follow the latest change until the new encoder counts',
    examples: ['encoders watch'],
    run: watch,
  },
  cancel: {
    summary: 'end the change under way; the old vectors were never touched',
    question: () => 'Give up what was read for the change?',
    examples: ['encoders cancel'],
    run: cancel,
  },
};
