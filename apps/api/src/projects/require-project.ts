import { AppError } from '@tempera/client-kit';
import type { TenantId } from '@tempera/core';
import { findProjectBySlug, type ProjectRecord, type Tx } from '@tempera/platform';

/** A project one may not see answers exactly like one that is not there. */
export const noSuchProject = (): AppError => new AppError('not-found', 'no-such-project', 'No such project.');

/** The project with this slug. @throws AppError `not-found` also where the caller may not see it */
export const requireProject = async (tx: Tx, tenantId: TenantId, slug: string): Promise<ProjectRecord> => {
  const project = await findProjectBySlug(tx, tenantId, slug);
  if (project === null) throw noSuchProject();
  return project;
};

/** Told only to who sees the project. */
export const projectArchived = (): AppError =>
  new AppError('conflict', 'project-archived', 'This project is archived; restore it first.');

/** What an archived project is, it stays until it is restored. @throws AppError `conflict` for an archived one */
export const refuseArchived = ({ archivedAt }: Pick<ProjectRecord, 'archivedAt'>): void => {
  if (archivedAt !== null) throw projectArchived();
};
