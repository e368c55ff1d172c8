import { AppError, errorTable, isAppError } from '@tempera/client-kit';
import {
  createKeyFile,
  dropKeys,
  type KeyKind,
  type KeySet,
  newKeySet,
  promoteKey,
  readKeyFile,
  replaceKeyFile,
  type RotationStep,
  stageKey,
} from '@tempera/platform';
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `Usage: keys --out FILE                   writes fresh keys (never over a file that is there)
       keys list [--file FILE]            shows the keys by id, without what is secret
       keys stage [--file FILE]           adds a next key: published and accepted, not yet used
       keys promote [--file FILE]         the next key is used from now on, the current one stays accepted;
                                          refused within a day of stage
       keys drop [--file FILE]            forgets previous keys that nothing can carry any more
Options: --kind signing (access tokens; default) or hmac (refresh tokens and cursors)
         --force   does it though it is too early, for keys that others may know
FILE is SIGNING_KEYS_FILE unless named. Running APIs take a change within seconds; where the keys come from a secret store,
work on a copy and put it back there.
`;

/** The steps of a rotation, by their word. */
const STEPS: Readonly<Record<string, (set: KeySet, step: RotationStep) => KeySet>> = {
  stage: stageKey,
  promote: promoteKey,
  drop: dropKeys,
};

const invalid = (message: string): AppError => new AppError('invalid-input', 'usage', message);

const readKind = (text: string): KeyKind => {
  if (text === 'signing' || text === 'hmac') return text;
  throw invalid('--kind is signing or hmac.');
};

const requireFile = (named: string | undefined): string => {
  const file = named ?? process.env['SIGNING_KEYS_FILE'] ?? '';
  if (file !== '') return file;
  throw invalid('Name the keys file with --file, or set SIGNING_KEYS_FILE.');
};

const listOf = ({ keys }: KeySet): string =>
  keys
    .map(
      ({ kty, state, kid, since }) =>
        `${kty === 'EC' ? 'signing' : 'hmac   '}  ${state.padEnd(8)}  ${kid}  ${since ?? '-'}`,
    )
    .join('\n');

const OPTIONS = {
  out: { type: 'string' },
  file: { type: 'string' },
  kind: { type: 'string', default: 'signing' },
  force: { type: 'boolean', default: false },
} as const;

const parse = (
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new AppError('invalid-input', 'usage', USAGE, { cause });
  }
};

const run = (args: readonly string[]): string => {
  const { values, positionals } = parse(args);
  const [word, ...more] = positionals;
  if (values.out !== undefined && values.out !== '' && word === undefined) {
    createKeyFile(values.out, newKeySet());
    return `Keys written to ${values.out}. Keep it: without it every login ends.`;
  }
  const step = STEPS[word ?? ''];
  if (more.length > 0 || (step === undefined && word !== 'list')) throw invalid(USAGE);
  const file = requireFile(values.file);
  const before = readKeyFile(file);
  if (step === undefined) return listOf(before);
  const kind = readKind(values.kind);
  const after = step(before, { kind, now: new Date(), force: values.force, writtenAt: statSync(file).mtime });
  replaceKeyFile(file, after);
  return listOf(after);
};

try {
  process.stdout.write(`${run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${isAppError(error) ? error.message : 'The keys could not be read or written.'}\n`);
  process.exitCode = isAppError(error) ? errorTable[error.kind].exitCode : 1;
}
