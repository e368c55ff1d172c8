import { AppError } from '@tempera/client-kit';
import type { Settings } from '@tempera/core';
import { findProjectAccess, type MergeableMemory, readSettings, type Tx, type UpkeepScope } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { noSuchProject, projectArchived } from '../projects/require-project.js';

/** Whose memories are looked after, what holds there, and whether the caller may do more than look. */
export interface UpkeepPlace {
  readonly scope: UpkeepScope;
  readonly slug: string | null;
  readonly mayExecute: boolean;
  /** The project's: nothing is decided there any more. */
  readonly isArchived: boolean;
  readonly settings: Settings;
}

/**
 * What a project shares, where its maintainers act and everyone else looks; without a project the caller's own private
 * memories. @throws AppError `not-found` for a project that is not there for the caller
 */
export const findUpkeepPlace = async (tx: Tx, caller: Caller, slug: string | null): Promise<UpkeepPlace> => {
  const { tenantId, userId } = caller;
  const project = slug === null ? null : await findProjectAccess(tx, tenantId, slug);
  if (slug !== null && project === null) throw noSuchProject();
  const projectId = project?.id ?? null;
  return {
    scope: { tenantId, userId, projectId },
    slug,
    mayExecute: project === null || project.mayMaintain,
    isArchived: project?.isArchived === true,
    settings: await readSettings(tx, tenantId, projectId),
  };
};

/** @throws AppError `forbidden` for who may only look, `conflict` for an archived project */
export const requireExecute = ({ mayExecute, isArchived }: UpkeepPlace): void => {
  if (!mayExecute) throw maintainersOnly();
  if (isArchived) throw projectArchived();
};

/** Only to who sees the project. */
export const maintainersOnly = (): AppError =>
  new AppError(
    'forbidden',
    'maintainers-only',
    'Only who maintains a project merges, prunes and undoes what it shares; everyone else may look at what would change.',
  );

/** A link may lead out of the scope; what lies there is for itself. */
export const isOfScope = (
  { scope, ownerId, projectId }: Pick<MergeableMemory, 'scope' | 'ownerId' | 'projectId'>,
  { scope: wanted }: UpkeepPlace,
): boolean =>
  wanted.projectId === null
    ? scope === 'private' && ownerId === wanted.userId
    : scope === 'project' && projectId === wanted.projectId;
