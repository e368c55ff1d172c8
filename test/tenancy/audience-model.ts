/**
 * Who sees and moves what, said anew from the table of permissions and the words of the design: plain sets, no SQL. The
 * property test does the same to this and to the database, and compares.
 */

export type Scope = 'private' | 'project' | 'group' | 'tenant';
export type ProjectRole = 'maintainer' | 'contributor' | 'reader';

/** Where a memory is seen. */
export interface Place {
  readonly scope: Scope;
  readonly project: string | null;
  readonly group: string | null;
}

export interface ModelPerson {
  readonly id: string;
  readonly tenantRole: 'owner' | 'admin' | 'member' | 'viewer';
  active: boolean;
}

export interface ModelMemory extends Place {
  readonly id: string;
  readonly owner: string;
}

/** A change of audience, newest last within its memory. */
export interface ModelChange {
  readonly id: string;
  readonly memory: string;
  readonly from: ModelMemory;
  readonly to: ModelMemory;
  readonly isUndo: boolean;
  isUndone: boolean;
}

export interface ModelProposal {
  readonly id: string;
  readonly memory: string;
  readonly proposer: string;
  readonly to: Place;
}

const RANK: readonly Scope[] = ['private', 'project', 'group', 'tenant'];
const rank = ({ scope }: Place): number => RANK.indexOf(scope);
export const isSamePlace = (one: Place, other: Place): boolean =>
  one.scope === other.scope && one.project === other.project && one.group === other.group;

/** One tenant. */
export class AudienceModel {
  readonly people = new Map<string, ModelPerson>();
  readonly memories = new Map<string, ModelMemory>();
  readonly changes: ModelChange[] = [];
  /** Those that wait; there is one a memory. */
  readonly proposals = new Map<string, ModelProposal>();
  /** `project/person` to role. */
  readonly roles = new Map<string, ProjectRole>();
  readonly groups = new Map<string, Set<string>>();
  readonly makers = new Map<string, string>();
  readonly reviewing = new Set<string>();

  private person(id: string): ModelPerson {
    const found = this.people.get(id);
    if (found === undefined) throw new Error(`nobody is ${id}`);
    return found;
  }

  isAdmin(who: string): boolean {
    const { active, tenantRole } = this.person(who);
    return active && (tenantRole === 'owner' || tenantRole === 'admin');
  }

  isMember(who: string, project: string | null): boolean {
    return project !== null && this.person(who).active && this.roles.has(`${project}/${who}`);
  }

  private hasRole(who: string, project: string | null, roles: readonly ProjectRole[]): boolean {
    const { active, tenantRole } = this.person(who);
    const role = this.roles.get(`${project ?? ''}/${who}`);
    return active && tenantRole !== 'viewer' && role !== undefined && roles.includes(role);
  }

  maintains(who: string, project: string | null): boolean {
    return this.hasRole(who, project, ['maintainer']);
  }

  contributes(who: string, project: string | null): boolean {
    return this.hasRole(who, project, ['maintainer', 'contributor']);
  }

  maintainsSome(who: string): boolean {
    return (
      [...this.roles].some(([key, role]) => role === 'maintainer' && key.endsWith(`/${who}`)) &&
      this.person(who).active &&
      this.person(who).tenantRole !== 'viewer'
    );
  }

  projectsOf(group: string | null): readonly string[] {
    return [...(this.groups.get(group ?? '') ?? [])];
  }

  isInGroup(who: string, group: string | null): boolean {
    return this.projectsOf(group).some((project) => this.isMember(who, project));
  }

  maintainsGroup(who: string, group: string | null): boolean {
    return this.projectsOf(group).some((project) => this.maintains(who, project));
  }

  sees(who: string, memory: ModelMemory): boolean {
    if (!this.person(who).active) return false;
    switch (memory.scope) {
      case 'private':
        return memory.owner === who;
      case 'project':
        return this.isMember(who, memory.project);
      case 'group':
        return this.isInGroup(who, memory.group);
      case 'tenant':
        return true;
    }
  }

  /** Whether someone may put a memory of his own there at once. */
  mayKeep(who: string, { scope, project, group }: Place): boolean {
    switch (scope) {
      case 'private':
        return this.person(who).active;
      case 'project':
        return this.maintains(who, project) || (this.contributes(who, project) && !this.reviewing.has(project ?? ''));
      case 'group':
        return this.maintainsGroup(who, group) && this.projectsOf(group).includes(project ?? '');
      case 'tenant':
        return this.isAdmin(who) || this.maintainsSome(who);
    }
  }

  mayCapture(who: string, to: Place): boolean {
    return this.mayKeep(who, to) && (to.project === null || this.isMember(who, to.project));
  }

  private mayMove(who: string, memory: ModelMemory, to: Place): boolean {
    const isOwn = memory.owner === who && this.sees(who, memory);
    const staysOrJoins = to.project === memory.project || to.project === null || this.isMember(who, to.project);
    return isOwn && staysOrJoins && this.mayKeep(who, to);
  }

  mayShare(who: string, memory: ModelMemory, to: Place): boolean {
    if (memory.owner !== who || !this.sees(who, memory)) return false;
    if (isSamePlace(memory, to)) return true;
    if (rank(to) < rank(memory)) return false;
    if (memory.scope === 'project' && to.scope === 'group' && to.project !== memory.project) return false;
    return this.mayMove(who, memory, to);
  }

  mayDemote(who: string, memory: ModelMemory, to: Place): boolean {
    if (memory.owner !== who || !this.sees(who, memory)) return false;
    if (isSamePlace(memory, to)) return true;
    if (rank(to) >= rank(memory)) return false;
    const leavesGroup = memory.scope === 'group' && to.scope === 'project';
    if (leavesGroup && !this.projectsOf(memory.group).includes(to.project ?? '')) return false;
    return this.mayMove(who, memory, to);
  }

  mayTransfer(who: string, memory: ModelMemory, to: string): boolean {
    if (memory.scope === 'private') return false;
    const isOrphan = this.isAdmin(who) && !this.person(memory.owner).active;
    if (!this.sees(who, memory) || !(isOrphan || memory.owner === who)) return false;
    return this.mayReceive(to, memory);
  }

  private mayReceive(who: string, { scope, project, group }: Place): boolean {
    if (!this.person(who).active || this.person(who).tenantRole === 'viewer') return false;
    if (scope === 'project') return this.contributes(who, project);
    if (scope === 'group') return this.maintainsGroup(who, group);
    return scope === 'tenant' && (this.isAdmin(who) || this.maintainsSome(who));
  }

  mayUndo(who: string, change: ModelChange): boolean {
    const memory = this.memories.get(change.memory);
    if (memory === undefined || memory.owner !== who || !this.sees(who, memory)) return false;
    if (change.isUndo || change.isUndone) return false;
    if (memory.owner !== change.to.owner || !isSamePlace(memory, change.to)) return false;
    const later = this.changes.slice(this.changes.indexOf(change) + 1);
    if (later.some((one) => one.memory === change.memory && !one.isUndo && !one.isUndone)) return false;
    const isThere =
      change.from.group === null || this.projectsOf(change.from.group).includes(change.from.project ?? '');
    if (!isThere) return false;
    return change.from.owner === change.to.owner
      ? this.mayMove(who, memory, change.from)
      : this.mayTransfer(who, memory, change.from.owner);
  }

  /** Whether someone may ask for it. */
  mayPropose(who: string, memory: ModelMemory, { project, group }: Place): boolean {
    const { active, tenantRole } = this.person(who);
    if (!active || tenantRole === 'viewer' || memory.owner !== who || !this.sees(who, memory)) return false;
    if (this.proposals.has(memory.id)) return false;
    if (project !== null && !this.contributes(who, project)) return false;
    return group === null || (this.isInGroup(who, group) && this.projectsOf(group).includes(project ?? ''));
  }

  decides(who: string, { to }: ModelProposal): boolean {
    if (to.scope === 'project') return this.maintains(who, to.project);
    return to.scope === 'group' ? this.maintainsGroup(who, to.group) : this.isAdmin(who);
  }

  /** Whether what is approved takes effect, or has become stale. */
  stands({ memory, proposer, to }: ModelProposal): boolean {
    const now = this.memories.get(memory);
    if (now === undefined || isSamePlace(now, to) || rank(to) < rank(now)) return false;
    const { active, tenantRole } = this.person(proposer);
    if (!active || tenantRole === 'viewer') return false;
    if (to.project !== null && !this.contributes(proposer, to.project)) return false;
    return to.group === null || this.projectsOf(to.group).includes(to.project ?? '');
  }

  mayJoin(who: string, group: string, project: string): boolean {
    if (this.projectsOf(group).includes(project)) return false;
    if (this.isAdmin(who)) return true;
    const begins = this.projectsOf(group).length === 0 && this.makers.get(group) === who && this.person(who).active;
    return this.maintains(who, project) && (this.maintainsGroup(who, group) || begins);
  }

  mayLeave(who: string, group: string, project: string): boolean {
    if (!this.projectsOf(group).includes(project)) return false;
    const shared = [...this.memories.values()].some((one) => one.group === group && one.project === project);
    return !shared && (this.isAdmin(who) || this.maintains(who, project));
  }

  mayReturn(who: string, group: string, project: string): boolean {
    return this.projectsOf(group).includes(project) && (this.isAdmin(who) || this.maintains(who, project));
  }

  /** Puts a memory elsewhere, as the database was seen to. */
  move(id: string, to: Partial<Place> & { readonly owner?: string }, changeId: string, undoes?: ModelChange): void {
    const from = this.memories.get(id);
    if (from === undefined) throw new Error(`no memory ${id}`);
    const now = { ...from, ...to };
    if (isSamePlace(from, now) && from.owner === now.owner) return;
    this.memories.set(id, now);
    this.changes.push({ id: changeId, memory: id, from, to: now, isUndo: undoes !== undefined, isUndone: false });
    if (undoes !== undefined) undoes.isUndone = true;
    this.proposals.delete(id);
  }
}
