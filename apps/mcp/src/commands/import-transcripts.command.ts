import { isAbsolute, join } from 'node:path';
import { stat } from 'node:fs/promises';
import { AppError, neutraliseLine } from '@tempera/client-kit';
import { ServiceClient } from '../graphql/service-client.js';
import { Progress } from '../output/progress.js';
import { deliver, type Fate } from '../spool/deliver.js';
import type { SpoolRecord } from '../spool/spool-record.js';
import { LoginFiles } from '../state/login-file.js';
import { findTranscripts } from '../transcripts/find-transcripts.js';
import { type Imported, readImported, writeImported } from '../transcripts/import-state.js';
import { type FileReport, importTranscript } from '../transcripts/import-transcript.js';
import { TurnPlaces } from '../transcripts/turn-places.js';
import { notLoggedIn } from '../state/access-tokens.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';

/** Of one request, well below what the service takes. */
const BATCH = 20;
const BATCH_BYTES = 400_000;

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Collects turns of one login into requests. */
class Delivery {
  readonly refused = new Map<string, number>();
  kept = 0;
  private waiting: SpoolRecord[] = [];
  private bytes = 0;

  constructor(
    private readonly world: World,
    private readonly isDry: boolean,
  ) {}

  async take(records: readonly SpoolRecord[]): Promise<void> {
    for (const record of records) {
      const size = Buffer.byteLength(JSON.stringify(record));
      const isFull = this.waiting.length >= BATCH || this.bytes + size > BATCH_BYTES;
      if (isFull || (this.waiting[0]?.login ?? record.login) !== record.login) await this.flush();
      this.waiting.push(record);
      this.bytes += size;
    }
  }

  async flush(): Promise<void> {
    const [first] = this.waiting;
    if (first === undefined) return;
    const records = this.waiting.splice(0);
    this.bytes = 0;
    if (this.isDry) {
      this.kept += records.length;
      return;
    }
    for (const fate of await deliver(records, new ServiceClient(new LoginFiles(this.world), first.login, this.world)))
      this.note(fate);
  }

  private note(fate: Fate): void {
    if (fate.kept) this.kept += 1;
    else this.refused.set(fate.code, (this.refused.get(fate.code) ?? 0) + 1);
  }
}

const defaultFolder = ({ environment, home }: World): string => {
  const own = environment['CLAUDE_CONFIG_DIR'];
  return join(own === undefined || own === '' ? join(home, '.claude') : own, 'projects');
};

const isUnchanged = async (path: string, done: Imported | undefined): Promise<boolean> => {
  const found = await stat(path);
  return done !== undefined && done.inode === found.ino && done.bytes === found.size;
};

interface Total {
  files: number;
  unchanged: number;
  lines: number;
  unreadable: number;
  turns: number;
}

const add = (total: Total, { lines, unreadable, turns }: FileReport): void => {
  total.lines += lines;
  total.unreadable += unreadable;
  total.turns += turns;
};

const importAll = async (files: readonly string[], options: ImportOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const isDry = options.dryRun === true;
  if (!isDry && (await new LoginFiles(world).current()) === null) throw notLoggedIn();
  const imported = await readImported(world);
  const delivery = new Delivery(world, isDry);
  const places = new TurnPlaces(world);
  const progress = new Progress(world, terminal.isForPerson, 'files read');
  const total: Total = { files: files.length, unchanged: 0, lines: 0, unreadable: 0, turns: 0 };
  try {
    for (const [at, path] of files.entries()) {
      progress.show(at, files.length);
      if (await isUnchanged(path, imported.get(path))) {
        total.unchanged += 1;
        continue;
      }
      const report = await importTranscript(path, imported.get(path) ?? null, places, (records) =>
        delivery.take(records),
      );
      await delivery.flush();
      add(total, report);
      // Noted file by file: whoever is stopped goes on there.
      if (!isDry) await writeImported(imported.set(path, report.imported), world);
    }
  } finally {
    progress.end();
  }
  const refused = Object.fromEntries(delivery.refused);
  const count = [...delivery.refused.values()].reduce((sum, one) => sum + one, 0);
  terminal.result(
    [
      `${total.files} files${total.unchanged === 0 ? '' : `, ${total.unchanged} of them unchanged`}: ${total.lines} lines, ${total.unreadable} of them unreadable, ${total.turns} turns.`,
      isDry
        ? 'Nothing was sent: this was a dry run.'
        : `${delivery.kept} turns are kept, for you alone; ${count} were refused.`,
      ...[...delivery.refused].map(([code, times]) => `  ${times} refused: ${neutraliseLine(code, 60)}`),
    ],
    { ...total, kept: isDry ? 0 : delivery.kept, refused, dryRun: isDry },
  );
};

/** `tempera import-transcripts` */
export const addImportTranscripts: AddCommand = (program, world) => {
  withJson(program.command('import-transcripts'))
    .summary('keep the turns of earlier conversations with Claude Code')
    .description(
      'Reads conversation files of Claude Code and keeps their turns like those that hooks tell: for you alone, without secrets, with the project of the folder where it was said. Run again it goes on where it ended, and adds nothing twice.',
    )
    .argument('[paths...]', 'folders or files (default: all of Claude Code)')
    .option('--dry-run', 'only say what there is')
    .action(async (paths: string[], options: ImportOptions) => {
      const named = paths.length === 0 ? [defaultFolder(world)] : paths;
      const files = await findTranscripts(named.map((path) => (isAbsolute(path) ? path : join(world.cwd, path))));
      if (files.length === 0) throw new AppError('not-found', 'no-transcripts', 'There is no conversation file.');
      await importAll(files, options, world);
    });
};
