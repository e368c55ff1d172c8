// Encoders from the model hub, fetched by the library that will run them.
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.mjs';
import { commandFailure } from './failures.mjs';
import { folderBytes } from './folder-bytes.mjs';
import { projectRoot } from './paths.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';

const DOWNLOAD = join(dirname(fileURLToPath(import.meta.url)), 'hub-download.mjs');

export const HUB_HOST = 'https://huggingface.co';

/**
 * Puts the files of `model` into `target`; the caller checks them. node_modules must be there.
 * @throws when the hub does not give it
 */
export const modelFromHub = ({ model, target, progress, host = HUB_HOST }) =>
  withTemporaryFolder(dirname(target), async (folder) => {
    const result = await progress.during(
      `downloading ${model.name} from the model hub`,
      () => runCommand(process.execPath, [DOWNLOAD, model.hub, folder, `${host}/`], { cwd: projectRoot }),
      (task) => {
        task.total = model.hubBytes;
        task.done = folderBytes(folder);
      },
    );
    if (!result.ok) throw commandFailure(`the model hub did not give ${model.hub}`, result.output, folder);
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, model.hub), target);
  });
