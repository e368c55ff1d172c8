import { AppError, readsLikeInstruction } from '@tempera/client-kit';
import type { GroupId, ProjectId, Scope } from '@tempera/core';
import { type AudienceTarget, findProjectAccess, type ProjectAccess, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { groupOf } from '../groups/group-of.js';
import { noSuchProject, projectArchived } from '../projects/require-project.js';

/** Where a capture goes. */
export interface CapturePlace {
  readonly scope: Scope;
  /** Of the memory; none for what the whole tenant shares. */
  readonly projectId: ProjectId | null;
  /** Of the memory, for scope `group`. */
  readonly groupId: GroupId | null;
  /** Of the work: the session's project, whoever sees the memory. */
  readonly workProjectId: ProjectId | null;
  /** Where the memory was to go, where that waits for a maintainer: it is kept private until then. */
  readonly toPropose: AudienceTarget | null;
}

interface Wish {
  readonly scope: Scope | null;
  readonly projectSlug: string | null;
  readonly groupSlug: string | null;
  readonly pinned: boolean;
  readonly title: string;
  readonly text: string;
}

/**
 * Finds the place of a capture: where the caller asked for it, else with the project when they may capture there and it does
 * not read as an order to an agent, else private; with a project that reviews, private too and proposed. @throws AppError `not-found` for a project that is not there for the caller, `forbidden` where they only read,
 * `conflict` for an archived one
 */
export const placeCapture = async (
  tx: Tx,
  caller: Caller,
  { scope, projectSlug, groupSlug, pinned, ...said }: Wish,
): Promise<CapturePlace> => {
  const project = projectSlug === null ? null : await requireAccess(tx, caller, projectSlug);
  // What reads as an order to other people's agents is shared by a person's own word alone (docs/design.md M1).
  const mayShareUnasked = project?.mayCapture === true && !readsLikeInstruction(`${said.title}\n${said.text}`);
  const chosen = scope ?? (mayShareUnasked ? 'project' : 'private');
  if (project !== null && !project.isMember) {
    throw new AppError('forbidden', 'not-a-member', 'You are not a member of this project.');
  }
  if (project?.isArchived === true) throw projectArchived();
  if (chosen === 'group' && project !== null) {
    const { id, mayMaintain } = await groupOf(tx, caller, groupSlug, project);
    if (!mayMaintain) throw mayNotShare();
    return { scope: 'group', projectId: project.id, groupId: id, workProjectId: project.id, toPropose: null };
  }
  if (chosen === 'project' && project?.mayCapture !== true) {
    throw new AppError('forbidden', 'readers-do-not-capture', 'You may read this project, but not capture into it.');
  }
  // A pin puts a memory before everything that others ask; that is a maintainer's to decide.
  if (chosen === 'project' && pinned && project?.mayMaintain !== true) {
    throw new AppError(
      'forbidden',
      'maintainers-pin',
      'Only a maintainer pins what the project shares; capture it unpinned.',
    );
  }
  const workProjectId = project?.id ?? null;
  const place = { projectId: chosen === 'tenant' ? null : workProjectId, groupId: null, workProjectId };
  if (chosen !== 'project' || project?.mayShare !== false) return { ...place, scope: chosen, toPropose: null };
  return { ...place, scope: 'private', toPropose: { scope: 'project', projectId: project.id, groupId: null } };
};

/** A project by its slug. @throws AppError `not-found`, the same for a hidden and a missing one */
export const requireAccess = async (tx: Tx, caller: Caller, slug: string): Promise<ProjectAccess> => {
  const project = await findProjectAccess(tx, caller.tenantId, slug);
  if (project === null) throw noSuchProject();
  return project;
};

/** What a policy says to a capture that the caller has no right to; where it matters, the caller knows that it exists. */
export const mayNotShare = (): AppError =>
  new AppError('forbidden', 'may-not-share', 'You may not capture for this audience; capture it privately instead.');
