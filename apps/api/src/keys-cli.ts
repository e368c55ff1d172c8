import { errorTable, isAppError } from '@tempera/client-kit';
import { createKeyFile, newKeySet, readKeyFile, replaceKeyFile, rotatedKeySet } from '@tempera/platform';
import { parseArgs } from 'node:util';

const USAGE = `Usage: keys-cli --out FILE      writes fresh keys (never over a file that is there)
       keys-cli --rotate FILE   next becomes current, current previous; restart the API afterwards,
                                and leave a day between two rotations
`;

const run = (args: readonly string[]): number => {
  const options = { out: { type: 'string' }, rotate: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  if (typeof values.out === 'string' && values.out !== '') {
    createKeyFile(values.out, newKeySet());
    process.stdout.write(`Keys written to ${values.out}. Keep it: without it every login ends.\n`);
    return 0;
  }
  if (typeof values.rotate === 'string' && values.rotate !== '') {
    replaceKeyFile(values.rotate, rotatedKeySet(readKeyFile(values.rotate)));
    process.stdout.write(`Keys in ${values.rotate} rotated. Restart the API.\n`);
    return 0;
  }
  process.stderr.write(USAGE);
  return errorTable['invalid-input'].exitCode;
};

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${isAppError(error) ? error.message : 'The keys could not be written.'}\n`);
  process.exitCode = isAppError(error) ? errorTable[error.kind].exitCode : 1;
}
