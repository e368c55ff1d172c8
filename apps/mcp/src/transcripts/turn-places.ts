import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { identifyFolder } from '../folder/git-folder.js';
import { FolderBindings } from '../state/folder-bindings.js';
import { LoginFiles } from '../state/login-file.js';
import type { World } from '../world.js';

/** Where turns go that were said in a folder. */
export interface TurnPlace {
  readonly login: string | null;
  readonly project: string | null;
}

/** A worktree may be gone by now; what its parent belongs to says nothing of it. */
const isThere = (folder: string): Promise<boolean> =>
  realpath(folder).then(
    () => dirname(folder) !== folder,
    () => false,
  );

/** Finds the place of a folder by what the person bound, once for each. */
export class TurnPlaces {
  private readonly known = new Map<string, Promise<TurnPlace>>();

  constructor(private readonly world: World) {}

  of(folder: string | null): Promise<TurnPlace> {
    const name = folder ?? '';
    const found = this.known.get(name) ?? this.find(name);
    this.known.set(name, found);
    return found;
  }

  private async find(folder: string): Promise<TurnPlace> {
    const login = await new LoginFiles(this.world).current();
    if (folder === '' || !(await isThere(folder))) return { login, project: null };
    const binding = await new FolderBindings(this.world).find(await identifyFolder(folder));
    return { login: binding?.login ?? login, project: binding?.project ?? null };
  }
}
