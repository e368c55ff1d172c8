import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  addToGroup,
  appendAudit,
  changeGroup,
  deleteGroup,
  type Doors,
  findGroupProjects,
  findMembershipsOf,
  type GroupAccess,
  type GroupRecord,
  insertGroup,
  isRefused,
  isUniqueViolation,
  listGroups,
  myTenantRole,
  type ProjectRecord,
  removeFromGroup,
  returnGroupMemories,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireSlug } from '../projects/project-fields.js';
import { refuseArchived, requireProject } from '../projects/require-project.js';
import { forbidden } from '../tenants/tenant-roles.js';
import { type CreateGroupInput, MAX_GROUP_PROJECTS, type UpdateGroupInput } from './group.types.js';
import { requireGroup } from './require-group.js';

const groupFull = (): AppError =>
  new AppError('conflict', 'group-full', `A group has at most ${MAX_GROUP_PROJECTS} projects.`);

/** The database decides; what it refuses is known to the caller, so it is told as a matter of rights. */
const orElse =
  (rights: string, taken: AppError) =>
  (error: unknown): never => {
    if (isRefused(error)) throw forbidden(rights);
    throw isUniqueViolation(error) ? taken : error;
  };

const slugTaken = new AppError('conflict', 'group-taken', 'A group of this tenant has that slug.');
const isIn = new AppError('conflict', 'in-group', 'The project is in the group already.');
const MAKES = 'Only an owner, an admin or a maintainer of a project may do this.';
const CHANGES = 'A group is changed by an owner or admin, or by who maintains one of its projects.';
const JOINS = 'A project joins a group by an owner or admin, or by who maintains it and a project of the group.';
const LEAVES = 'A project leaves a group by an owner or admin, or by who maintains it.';

/** Groups of projects: what one shares, the members of all its projects see. */
@Injectable()
export class GroupsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /** Groups of the caller's projects, admins all of the tenant's, by slug. */
  async page(caller: Caller, args: PageArgs): Promise<Page<GroupRecord>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'groups' });
    const after = request.after?.[0] ?? null;
    const rows = await this.doors.asTenant(caller, (tx) =>
      listGroups(tx, caller.tenantId, { after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, ({ slug }) => [slug]);
  }

  /** @throws AppError `not-found` */
  bySlug(caller: Caller, slug: string): Promise<GroupRecord> {
    return this.doors.asTenant(caller, (tx) => requireGroup(tx, caller.tenantId, slug));
  }

  /** @throws AppError `invalid-input`, `not-found` for a project, `forbidden`, `conflict` for a taken slug */
  create(caller: Caller, input: CreateGroupInput): Promise<GroupRecord> {
    const [slug, name] = [requireSlug(input.slug), requireText(input.name, 'name', 200)];
    const slugs = [...new Set(input.projects)];
    if (slugs.length > MAX_GROUP_PROJECTS) throw groupFull();
    const work = this.doors.asTenant(caller, async (tx) => {
      const projects: ProjectRecord[] = [];
      for (const project of slugs) projects.push(await requireProject(tx, caller.tenantId, project));
      projects.forEach(refuseArchived);
      const group = { slug, name, createdBy: caller.userId, createdAt: this.clock.now() };
      const created = await insertGroup(tx, caller.tenantId, group);
      for (const { id } of projects) await addToGroup(tx, caller.tenantId, created.id, id);
      await audit(tx, 'group.created', created, { projects: projects.map(({ id }) => id).join(' ') });
      return created;
    });
    return work.catch(orElse(slugs.length === 0 ? MAKES : `${MAKES} ${JOINS}`, slugTaken));
  }

  /** @throws AppError `invalid-input`, `not-found`, `forbidden`, `conflict` for a taken slug */
  update(caller: Caller, slug: string, input: UpdateGroupInput): Promise<GroupRecord> {
    const change = {
      ...(typeof input.slug === 'string' ? { slug: requireSlug(input.slug) } : {}),
      ...(typeof input.name === 'string' ? { name: requireText(input.name, 'name', 200) } : {}),
    };
    const work = this.doors.asTenant(caller, async (tx) => {
      const group = await requireGroup(tx, caller.tenantId, slug);
      const tenantRole = await myTenantRole(tx);
      const isAdmin = tenantRole === 'owner' || tenantRole === 'admin';
      if (!isAdmin && !group.mayMaintain && !group.mayBegin) throw forbidden(CHANGES);
      if (Object.keys(change).length === 0) return group;
      await changeGroup(tx, caller.tenantId, group.id, change);
      await audit(tx, 'group.updated', group, { fields: Object.keys(change).join(' ') });
      return { ...group, ...change };
    });
    return work.catch(orElse(CHANGES, slugTaken));
  }

  /** Shows the group's memories to the project's members. @throws AppError `not-found`, `forbidden`, `conflict` */
  add(caller: Caller, slug: string, projectSlug: string): Promise<GroupRecord> {
    const work = this.doors.asTenant(caller, async (tx) => {
      const { group, project } = await both(tx, caller, slug, projectSlug);
      refuseArchived(project);
      const there = await findGroupProjects(tx, caller.tenantId, [group.id]);
      if (there.length >= MAX_GROUP_PROJECTS) throw groupFull();
      await requireNoNewSight(tx, caller, group, project);
      await addToGroup(tx, caller.tenantId, group.id, project.id);
      await audit(tx, 'group.project-added', group, { project: project.id });
      return group;
    });
    return work.catch(orElse(JOINS, isIn));
  }

  /**
   * @param moveBack moves the group's memories of this project back to it first; else there must be none
   * @throws AppError `not-found` also where the project is not in it, `forbidden`, `conflict` while memories are there
   */
  remove(caller: Caller, slug: string, projectSlug: string, moveBack: boolean): Promise<GroupRecord> {
    const work = this.doors.asTenant(caller, async (tx) => {
      const { group, project } = await both(tx, caller, slug, projectSlug);
      const there = await findGroupProjects(tx, caller.tenantId, [group.id]);
      if (!there.some(({ projectId }) => projectId === project.id)) {
        throw new AppError('not-found', 'not-in-group', 'The project is not in this group.');
      }
      const returned = moveBack ? await returnGroupMemories(tx, group.id, project.id) : 0;
      if (!(await removeFromGroup(tx, caller.tenantId, group.id, project.id))) throw forbidden(LEAVES);
      await audit(tx, 'group.project-removed', group, { project: project.id, returned });
      return group;
    });
    return work.catch(orElse(LEAVES, isIn));
  }

  /** @throws AppError `not-found`, `forbidden` for who is no admin, `conflict` while memories are shared with it */
  delete(caller: Caller, slug: string, moveBack: boolean): Promise<GroupRecord> {
    const rights = 'Only an owner or an admin of the tenant deletes a group.';
    const work = this.doors.asTenant(caller, async (tx) => {
      const group = await requireGroup(tx, caller.tenantId, slug);
      const returned = moveBack ? await returnGroupMemories(tx, group.id, null) : 0;
      if (!(await deleteGroup(tx, caller.tenantId, group.id))) throw forbidden(rights);
      await audit(tx, 'group.deleted', group, { returned });
      return group;
    });
    return work.catch(orElse(rights, isIn));
  }
}

/** A machine's token does not show its own person what a group shares: that would outlive it. @throws AppError `forbidden` */
const requireNoNewSight = async (
  tx: Tx,
  caller: Caller,
  { isMember }: GroupAccess,
  { id }: ProjectRecord,
): Promise<void> => {
  if (isMember) return;
  const own = await findMembershipsOf(tx, caller.tenantId, caller.userId);
  if (own.some(({ projectId }) => projectId === id)) await requireLogin(tx, caller);
};

const both = async (
  tx: Tx,
  caller: Caller,
  slug: string,
  projectSlug: string,
): Promise<{ group: GroupAccess; project: ProjectRecord }> => ({
  group: await requireGroup(tx, caller.tenantId, slug),
  project: await requireProject(tx, caller.tenantId, projectSlug),
});

const audit = (
  tx: Tx,
  action: string,
  { id }: GroupRecord,
  details: Readonly<Record<string, string | number>>,
): Promise<unknown> => appendAudit(tx, { action, subjectKind: 'group', subjectId: id, details });
