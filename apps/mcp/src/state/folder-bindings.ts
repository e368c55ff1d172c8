import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { FolderIdentity } from '../folder/git-folder.js';
import type { World } from '../world.js';
import { withFileLock } from './file-lock.js';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import { ensurePrivateFolder, stateFolderPath } from './state-folder.js';

const bindingShape = z.object({ login: z.string(), project: z.string(), boundAt: z.iso.datetime({ offset: true }) });
const fileShape = z.object({ folders: z.record(z.string(), bindingShape) });

/** Which login and which project a folder belongs to. */
export type FolderBinding = z.output<typeof bindingShape>;

/**
 * What the person bound, by the real path of the root. It lies in the user's own state and never in the folder: a file in
 * a repository could send someone's memories elsewhere.
 */
export class FolderBindings {
  private readonly stateFolder: string;
  private readonly path: string;

  constructor(private readonly world: World) {
    this.stateFolder = stateFolderPath(world);
    this.path = join(this.stateFolder, 'folders.json');
  }

  /** The binding of a repository is its own; a plain folder takes that of the nearest bound folder above it. */
  async find(identity: FolderIdentity): Promise<FolderBinding | null> {
    const folders = (await readPrivateJson(this.path, fileShape))?.folders ?? {};
    for (let at = identity.root; ; at = dirname(at)) {
      const binding = Object.hasOwn(folders, at) ? folders[at] : undefined;
      if (binding !== undefined) return binding;
      if (identity.isRepository || dirname(at) === at) return null;
    }
  }

  bind(identity: FolderIdentity, binding: FolderBinding): Promise<void> {
    return this.change((folders) => ({ ...folders, [identity.root]: binding }));
  }

  /** @returns whether there was a binding */
  async unbind(identity: FolderIdentity): Promise<boolean> {
    let wasBound = false;
    await this.change((folders) => {
      wasBound = Object.hasOwn(folders, identity.root);
      return Object.fromEntries(Object.entries(folders).filter(([root]) => root !== identity.root));
    });
    return wasBound;
  }

  private async change(edit: (folders: Record<string, FolderBinding>) => Record<string, FolderBinding>): Promise<void> {
    await ensurePrivateFolder(this.stateFolder);
    await withFileLock(`${this.path}.lock`, this.world, async () => {
      const file = (await readPrivateJson(this.path, fileShape)) ?? { folders: {} };
      await writePrivateJson(this.path, { folders: edit(file.folders) }, this.world.randomHex());
    });
  }
}
