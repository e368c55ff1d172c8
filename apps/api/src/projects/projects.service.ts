import { Inject, Injectable } from '@nestjs/common';
import {
  appendAudit,
  type Doors,
  insertProject,
  isUniqueViolation,
  listProjects,
  type ProjectRecord,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import type { CreateProjectInput } from './project.types.js';
import { projectTaken, requireRemotes, requireSlug } from './project-fields.js';
import { requireProject } from './require-project.js';

@Injectable()
export class ProjectsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /** The caller's projects, admins all of the tenant's, by slug: those in use, or the archived ones. */
  async page(caller: Caller, args: PageArgs, archived: boolean): Promise<Page<ProjectRecord>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'projects', filter: { archived } });
    const after = request.after?.[0] ?? null;
    const rows = await this.doors.asTenant(caller, (tx) =>
      listProjects(tx, caller.tenantId, { archived, after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, ({ slug }) => [slug]);
  }

  /** @throws AppError `not-found` */
  bySlug(caller: Caller, slug: string): Promise<ProjectRecord> {
    return this.doors.asTenant(caller, (tx) => requireProject(tx, caller.tenantId, slug));
  }

  /** @throws AppError `forbidden` for who is no admin, `conflict` for a slug or remote that another project has */
  async create(caller: Caller, input: CreateProjectInput): Promise<ProjectRecord> {
    const slug = requireSlug(input.slug);
    const name = requireText(input.name, 'name', 200);
    const remotes = requireRemotes(input.remotes);
    const project = { slug, name, remotes, createdBy: caller.userId, createdAt: this.clock.now() };
    const work = this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const created = await insertProject(tx, caller.tenantId, project);
      await appendAudit(tx, { action: 'project.created', subjectKind: 'project', subjectId: created.id });
      return created;
    });
    return work.catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw projectTaken();
    });
  }
}
