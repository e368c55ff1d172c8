import { z } from 'zod';
import { MERGE, UNDO, UPKEEP_RUNS } from '../graphql/upkeep-operations.js';
import { type Column, minuteText } from '../output/table.js';
import { LIMIT_OPTION, named, showDone, showList } from './lists.js';
import type { Call, Verbs } from './verb.js';

const memoryName = z.object({ id: z.string(), title: z.string() });
const mergedShape = z.object({ runId: z.string(), survivor: memoryName, mergedIds: z.array(z.string()) });
const undoneShape = z.object({
  runId: z.string(),
  restoredIds: z.array(z.string()),
  skippedIds: z.array(z.string()),
});

const merge = async (call: Call): Promise<void> => {
  const merged = await call.asker.ask(MERGE, { ids: call.args }, 'merge', mergedShape, false);
  const { survivor, mergedIds, runId } = merged;
  const told = `${mergedIds.length} into ${survivor.id.slice(0, 8)} ${named(survivor.title)}. To take it back: \`tempera undo ${runId.slice(0, 8)}\``;
  showDone(call, 'Merged', told, merged);
};

const undo = async (call: Call): Promise<void> => {
  const undone = [];
  for (const id of call.args) undone.push(await call.asker.ask(UNDO, { id }, 'undo', undoneShape, true));
  const back = undone.flatMap(({ restoredIds }) => restoredIds).length;
  const skipped = undone.flatMap(({ skippedIds }) => skippedIds).map((id) => id.slice(0, 8));
  const left = skipped.length === 0 ? '' : ` Left as they are, changed or back since: ${skipped.join(', ')}.`;
  showDone(call, 'Undone:', `${back} memories are in use again.${left}`, { undone });
};

const runShape = z.object({
  id: z.string(),
  kind: z.string(),
  project: z.string().nullable(),
  groupId: z.string().nullable(),
  madeBy: z.string().nullable(),
  maintenanceRunId: z.string().nullable(),
  merged: z.number(),
  pruned: z.number(),
  createdAt: z.string(),
  undoneAt: z.string().nullable(),
});
type UndoableRun = z.output<typeof runShape>;

/** Whose memories it was done to. */
const placeOf = ({ project, groupId, madeBy }: UndoableRun): string => {
  if (project !== null) return named(project);
  if (groupId !== null) return `group ${groupId.slice(0, 8)}`;
  return madeBy === null ? 'the tenant' : 'private';
};

const RUN_COLUMNS: readonly Column<UndoableRun>[] = [
  { heading: 'id', cell: ({ id }) => id.slice(0, 8) },
  { heading: 'what', cell: ({ kind }) => kind.toLowerCase() },
  { heading: 'of', cell: placeOf },
  { heading: 'by', cell: ({ maintenanceRunId }) => (maintenanceRunId === null ? 'a person' : 'a night') },
  { heading: 'when', cell: ({ createdAt }) => minuteText(createdAt) },
  { heading: 'merged', cell: ({ merged }) => merged },
  { heading: 'archived', cell: ({ pruned }) => pruned },
  { heading: 'taken back', cell: ({ undoneAt }) => minuteText(undoneAt) },
];

const undoable = (call: Call): Promise<void> => {
  const undone = call.options['undone'] === true;
  const none = undone ? 'Nothing was taken back.' : 'Nothing that you could take back.';
  return showList(call, { query: UPKEEP_RUNS, field: 'upkeepRuns', node: runShape }, { undone }, RUN_COLUMNS, none);
};

/** `tempera merge`, `undo` and `undoable` */
export const UNDO_VERBS: Verbs = {
  merge: {
    args: '<id> <ids...>',
    typedIds: Infinity,
    summary: 'merge memories that you choose',
    description: 'Merges memories that you choose, also of several people; the newest text stays.',
    examples: ['merge a1b2c3d4 b2c3d4e5'],
    run: merge,
  },
  undo: {
    args: '<runs...>',
    typedIds: Infinity,
    summary: 'take merges and cleanups back',
    description: 'Takes merges and cleanups back, by the ids that they were told with. What people did since stays.',
    examples: ['undo a1b2c3d4'],
    run: undo,
  },
  undoable: {
    summary: 'list merges and cleanups that you can take back',
    description:
      'Lists merges and cleanups, of people and of nights, that you can take back with `undo`, latest first.',
    options: [LIMIT_OPTION, ['--undone', 'those that were taken back']],
    examples: ['undoable', 'undoable --undone'],
    run: undoable,
  },
};
