import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  deleteRemote,
  type Doors,
  findRemotes,
  insertRemote,
  isUniqueViolation,
  type ProjectRecord,
  updateProject,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { projectTaken, requireRemote, requireSlug, tooManyRemotes } from './project-fields.js';
import { MAX_REMOTES, type UpdateProjectInput } from './project.types.js';
import { requireMaintainer } from './require-maintainer.js';
import { refuseArchived, requireProject } from './require-project.js';

const asConflict = (error: unknown): never => {
  throw isUniqueViolation(error) ? projectTaken() : error;
};

/** What maintainers and admins change of a project. */
@Injectable()
export class ProjectAdminService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found`, `forbidden`, `invalid-input`, `conflict` for a slug that another project has */
  update(caller: Caller, slug: string, input: UpdateProjectInput): Promise<ProjectRecord> {
    const change = {
      ...(typeof input.slug === 'string' ? { slug: requireSlug(input.slug) } : {}),
      ...(typeof input.name === 'string' ? { name: requireText(input.name, 'name', 200) } : {}),
      ...(typeof input.reviewRequired === 'boolean' ? { reviewRequired: input.reviewRequired } : {}),
    };
    return this.doors
      .asTenant(caller, async (tx) => {
        const project = await requireProject(tx, caller.tenantId, slug);
        await requireMaintainer(tx, caller, project);
        refuseArchived(project);
        await updateProject(tx, caller.tenantId, project.id, change);
        const details = { fields: Object.keys(change).join(' ') };
        await appendAudit(tx, { action: 'project.updated', subjectKind: 'project', subjectId: project.id, details });
        return { ...project, ...change };
      })
      .catch(asConflict);
  }

  /**
   * Archived, a project takes in nothing more, and searches that do not name it pass it by; its memories stay.
   * @throws AppError `not-found`, `forbidden` for who is no admin
   */
  setArchived(caller: Caller, slug: string, isArchived: boolean): Promise<ProjectRecord> {
    return this.doors.asTenant(caller, async (tx) => {
      const project = await requireProject(tx, caller.tenantId, slug);
      await requireAdmin(tx);
      if ((project.archivedAt !== null) === isArchived) return project;
      const archivedAt = isArchived ? this.clock.now() : null;
      await updateProject(tx, caller.tenantId, project.id, { archivedAt });
      const action = isArchived ? 'project.archived' : 'project.restored';
      await appendAudit(tx, { action, subjectKind: 'project', subjectId: project.id });
      return { ...project, archivedAt };
    });
  }

  /** @throws AppError `not-found`, `forbidden`, `invalid-input`, `conflict` for a remote that some project has */
  addRemote(caller: Caller, slug: string, given: string): Promise<ProjectRecord> {
    const remote = requireRemote(given);
    return this.doors
      .asTenant(caller, async (tx) => {
        const project = await requireProject(tx, caller.tenantId, slug);
        await requireMaintainer(tx, caller, project);
        refuseArchived(project);
        const there = await findRemotes(tx, caller.tenantId, [project.id]);
        if (there.some((one) => one.remote === remote)) return project;
        if (there.length >= MAX_REMOTES) throw tooManyRemotes();
        await insertRemote(tx, caller.tenantId, project.id, remote, this.clock.now());
        await appendAudit(tx, { action: 'project.remote-added', subjectKind: 'project', subjectId: project.id });
        return project;
      })
      .catch(asConflict);
  }

  /** @throws AppError `not-found` also for a remote that the project has not */
  removeRemote(caller: Caller, slug: string, given: string): Promise<ProjectRecord> {
    const remote = requireRemote(given);
    return this.doors.asTenant(caller, async (tx) => {
      const project = await requireProject(tx, caller.tenantId, slug);
      await requireMaintainer(tx, caller, project);
      if (!(await deleteRemote(tx, caller.tenantId, project.id, remote))) {
        throw new AppError('not-found', 'no-such-remote', 'This project has no such remote.');
      }
      await appendAudit(tx, { action: 'project.remote-removed', subjectKind: 'project', subjectId: project.id });
      return project;
    });
  }
}
