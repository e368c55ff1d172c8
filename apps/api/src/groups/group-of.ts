import { AppError } from '@tempera/client-kit';
import { findGroupProjects, type GroupAccess, myGroupSlugs, type ProjectAccess, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { refuse } from '../memories/check-input.js';
import { requireGroup } from './require-group.js';

/** The group that is named, or the only one that the project is in. */
export const groupOf = async (
  tx: Tx,
  caller: Caller,
  slug: string | null,
  project: ProjectAccess,
): Promise<GroupAccess> => {
  const group = await requireGroup(tx, caller.tenantId, slug ?? (await onlyGroupOf(tx, caller, project)));
  const projects = await findGroupProjects(tx, caller.tenantId, [group.id]);
  if (!projects.some(({ projectId }) => projectId === project.id)) {
    throw new AppError('conflict', 'not-in-group', `The project ${project.slug} is not in the group ${group.slug}.`);
  }
  return group;
};

const onlyGroupOf = async (tx: Tx, caller: Caller, project: ProjectAccess): Promise<string> => {
  const slugs = await myGroupSlugs(tx, caller.tenantId, project.id);
  const [only] = slugs;
  if (only !== undefined && slugs.length === 1) return only;
  const named = slugs.length === 0 ? `${project.slug} is in none.` : `${project.slug} is in ${slugs.join(', ')}.`;
  throw refuse('group-needed', `Scope GROUP needs \`group\`, the slug of one of the project's groups; ${named}`);
};
