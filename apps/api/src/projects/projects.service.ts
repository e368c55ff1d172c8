import { Inject, Injectable } from '@nestjs/common';
import { AppError, normaliseRemote } from '@tempera/client-kit';
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
import { type CreateProjectInput, MAX_REMOTES } from './project.types.js';
import { requireProject } from './require-project.js';

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Remotes in their one form, without repetitions. @throws AppError `invalid-input` for what is no network remote */
const normalisedRemotes = (remotes: readonly string[]): string[] => {
  if (remotes.length > MAX_REMOTES) {
    throw new AppError('invalid-input', 'too-many-remotes', `A project has at most ${MAX_REMOTES} remotes.`);
  }
  const normalised = remotes.map((remote) => {
    const name = normaliseRemote(remote);
    if (name !== null && name.length <= 500) return name;
    throw new AppError('invalid-input', 'remote', 'A remote is the network address of a git repository.');
  });
  return [...new Set(normalised)];
};

@Injectable()
export class ProjectsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /** The caller's projects, admins all of the tenant's, by slug. */
  async page(caller: Caller, args: PageArgs): Promise<Page<ProjectRecord>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'projects' });
    const after = request.after?.[0] ?? null;
    const rows = await this.doors.asTenant(caller, (tx) =>
      listProjects(tx, caller.tenantId, { after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, ({ slug }) => [slug]);
  }

  /** @throws AppError `not-found` */
  bySlug(caller: Caller, slug: string): Promise<ProjectRecord> {
    return this.doors.asTenant(caller, (tx) => requireProject(tx, caller.tenantId, slug));
  }

  /** @throws AppError `forbidden` for who is no admin, `conflict` for a slug or remote that another project has */
  async create(caller: Caller, input: CreateProjectInput): Promise<ProjectRecord> {
    if (!SLUG.test(input.slug)) {
      throw new AppError(
        'invalid-input',
        'slug',
        '`slug` has 1 to 63 characters of a-z, 0-9 and -, and does not begin with -.',
      );
    }
    const name = requireText(input.name, 'name', 200);
    const remotes = normalisedRemotes(input.remotes);
    const project = { slug: input.slug, name, remotes, createdBy: caller.userId, createdAt: this.clock.now() };
    const work = this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const created = await insertProject(tx, caller.tenantId, project);
      await appendAudit(tx, { action: 'project.created', subjectKind: 'project', subjectId: created.id });
      return created;
    });
    return work.catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError(
        'conflict',
        'project-taken',
        'A project of this tenant has that slug or one of those remotes.',
      );
    });
  }
}
