import { asId, type ProjectId, type Settings } from '@tempera/core';
import { readSettings, type Tx } from '@tempera/platform';

/** What holds in a project, or where there is none. */
export type ProjectSettings = (tx: Tx, projectId: string | null) => Promise<Settings>;

/** Reads what holds in each project once for a step. */
export const projectSettings = (tenantId: string, tenantWide: Settings): ProjectSettings => {
  const known = new Map<string, Settings>();
  return async (tx, projectId) => {
    if (projectId === null) return tenantWide;
    const found = known.get(projectId) ?? (await readSettings(tx, tenantId, asId<ProjectId>(projectId)));
    known.set(projectId, found);
    return found;
  };
};
