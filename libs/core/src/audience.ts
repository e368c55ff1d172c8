/** Who sees a memory, so that what is derived from memories never has a wider audience than its sources. */
import type { GroupId, ProjectId, Scope, UserId } from './memory.js';

/** The audience of a memory within one tenant. */
export interface Audience {
  readonly scope: Scope;
  readonly ownerId: UserId;
  readonly projectId: ProjectId;
  /** Set for scope `group`. */
  readonly groupId: GroupId | null;
}

/** A text that two memories share exactly when the same people see both: what a propagation run works through. */
export const audienceKey = ({ scope, ownerId, projectId, groupId }: Audience): string => {
  switch (scope) {
    case 'private':
      return `private:${ownerId}`;
    case 'project':
      return `project:${projectId}`;
    case 'group':
      return `group:${groupId ?? ''}`;
    case 'tenant':
      return 'tenant';
  }
};

/**
 * Whether everyone who sees `inner` sees `outer` too. It knows no memberships, so it says no where only they could
 * say yes (a project inside a group): credit is then not given, which is the safe side.
 */
export const isSeenByAllOf = (outer: Audience, inner: Audience): boolean => {
  if (outer.scope === 'tenant' || audienceKey(outer) === audienceKey(inner)) return true;
  // An owner sees the own memory wherever it is shared.
  return inner.scope === 'private' && outer.ownerId === inner.ownerId;
};
