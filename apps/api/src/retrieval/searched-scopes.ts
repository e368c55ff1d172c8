import type { Scope } from '@tempera/core';
import { type GroupAccess, myGroupSlugs, mySlugs, type ProjectAccess, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';

interface Narrowing {
  readonly project: ProjectAccess | null;
  readonly group: GroupAccess | null;
  readonly scope: Scope | undefined;
}

/** Everything that a question was put to, in words: private, projects by slug, groups by slug after `group`, tenant. */
export const searchedScopesOf = async (
  tx: Tx,
  caller: Caller,
  { project, group, scope }: Narrowing,
): Promise<string[]> => {
  const inGroup = (slugs: readonly string[]): string[] => slugs.map((slug) => `group ${slug}`);
  if (group !== null) return group.isMember && (scope ?? 'group') === 'group' ? inGroup([group.slug]) : [];
  const projects = async (): Promise<string[]> => {
    if (project === null) return mySlugs(tx, caller.tenantId);
    return project.isMember ? [project.slug] : [];
  };
  const groups = async (): Promise<string[]> => inGroup(await myGroupSlugs(tx, caller.tenantId, project?.id ?? null));
  if (scope === 'private' || scope === 'tenant') return [scope];
  if (scope === 'project') return projects();
  if (scope === 'group') return groups();
  return ['private', ...(await projects()), ...(await groups()), 'tenant'];
};
