import { isAbsolute, join } from 'node:path';
import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { DATA_EXPORT, EXPORT_DATA, EXPORT_PART } from '../graphql/transfer-operations.js';
import { Progress } from '../output/progress.js';
import { ExportFolder, type ExportState } from '../transfer/export-folder.js';
import type { AddCommand } from './command.js';
import { showDone } from './lists.js';
import { addVerb, type Call, type Verb } from './verb.js';

const POLL_MS = 500;

const exportShape = z.object({
  id: z.string(),
  kind: z.string(),
  project: z.string().nullable(),
  status: z.enum(['REQUESTED', 'RUNNING', 'COMPLETED', 'FAILED']),
  memories: z.number(),
  files: z.array(
    z.object({ name: z.string(), bytes: z.number(), lines: z.number(), sha256: z.string(), parts: z.number() }),
  ),
  manifest: z.string().nullable(),
  failure: z.string().nullable(),
  expiresAt: z.string(),
});
type Exported = z.output<typeof exportShape>;

interface Wish {
  readonly kind: 'TENANT' | 'PROJECT' | 'MINE';
  readonly project: string | null;
}

/** What is to be exported. @throws AppError unless exactly one thing was named */
const wishOf = ({ options }: Call): Wish => {
  const wishes: Wish[] = [
    ...(options['mine'] === true ? [{ kind: 'MINE', project: null } as const] : []),
    ...(options['tenant'] === true ? [{ kind: 'TENANT', project: null } as const] : []),
    ...(typeof options['project'] === 'string' ? [{ kind: 'PROJECT', project: options['project'] } as const] : []),
  ];
  const [wish] = wishes;
  if (wish !== undefined && wishes.length === 1) return wish;
  throw new AppError('invalid-input', 'export-what', 'Say one of --mine, --project <slug> and --tenant.');
};

/** A folder as typed. @throws AppError where none was */
const folderOf = ({ options, world }: Call): string => {
  const out = options['out'];
  if (typeof out !== 'string' || out.trim() === '')
    throw new AppError('invalid-input', 'out-missing', 'Say where to: --out <folder>.');
  return isAbsolute(out) ? out : join(world.cwd, out);
};

/** The export that an earlier run asked for, else a new one. */
const begin = async ({ asker }: Call, wish: Wish, state: ExportState | null): Promise<Exported> =>
  state === null
    ? asker.ask(EXPORT_DATA, { input: wish }, 'exportData', exportShape, true)
    : asker.ask(DATA_EXPORT, { id: state.exportId }, 'dataExport', exportShape, true);

/** Waits until the worker is through. @throws AppError where the export failed */
const untilWritten = async ({ asker, world, terminal }: Call, asked: Exported): Promise<Exported> => {
  let told = asked;
  while (told.status === 'REQUESTED' || told.status === 'RUNNING') {
    await world.wait(POLL_MS);
    told = await asker.ask(DATA_EXPORT, { id: asked.id }, 'dataExport', exportShape, true);
    if (terminal.isForPerson) world.stderr.write(`\r${told.memories} memories written `);
  }
  if (terminal.isForPerson) world.stderr.write('\r');
  if (told.status === 'COMPLETED') return told;
  throw new AppError('conflict', 'export-failed', `The export failed: ${told.failure ?? 'no reason is known'}`, {
    details: { fix: 'Remove the folder and run the command again.' },
  });
};

const fetchAll = async (call: Call, folder: ExportFolder, written: Exported, state: ExportState): Promise<void> => {
  const { asker, world, terminal } = call;
  const progress = new Progress(world, terminal.isForPerson, 'parts fetched');
  const total = written.files.reduce((sum, { parts }) => sum + parts, 0);
  const done = (): number => Object.values(state.fetched).reduce((sum, { parts }) => sum + parts, 0);
  try {
    for (const file of written.files) {
      await folder.fetch(file, state, async (part) => {
        progress.show(done(), total);
        return asker.ask(EXPORT_PART, { id: written.id, file: file.name, part }, 'exportPart', z.string(), true);
      });
    }
  } finally {
    progress.end();
  }
};

const run = async (call: Call): Promise<void> => {
  const wish = wishOf(call);
  const path = folderOf(call);
  const folder = new ExportFolder(path, () => call.world.newId());
  const left = await folder.open(`${wish.kind} ${wish.project ?? ''}`);
  const asked = await begin(call, wish, left);
  const state = left ?? { exportId: asked.id, wish: `${wish.kind} ${wish.project ?? ''}`, fetched: {} };
  await folder.save(state);
  const written = await untilWritten(call, asked);
  await fetchAll(call, folder, written, state);
  await folder.complete(written.manifest ?? '');
  const told = `${written.memories} memories to ${path}, checksums verified.`;
  showDone(call, 'Exported', told, { id: written.id, memories: written.memories, files: written.files, folder: path });
};

const EXPORT: Verb = {
  summary: 'take memories with you, as JSON Lines and Markdown',
  description:
    'Writes an export into a new folder: memories, what they said before, and a manifest with counts and SHA-256 checksums. What others keep for themselves is never in it. Stopped, the same command goes on where it was.',
  options: [
    ['--mine', 'your own memories, private and shared, with your votes and questions'],
    ['--project <slug>', 'what a project shares (its maintainers)'],
    ['--tenant', 'all that you see of the tenant (owner, admin)'],
    ['--out <folder>', 'a new or empty folder'],
  ],
  examples: ['export --mine --out my-memories', 'export --tenant --out acme-2026-11'],
  run,
};

/** `tempera export` */
export const addExport: AddCommand = (program, world) =>
  addVerb(program, 'export', EXPORT, { sender: 'person', root: program.name() }, world);
