/** Who may do what, as data: documents are generated from it, and tests hold the database to it. */

/**
 * How someone stands to a memory or to what it is in: an owner or admin of the tenant who is in no project of it, a
 * project's maintainer, contributor or reader (a tenant's viewer reads, whatever a project calls him), and the owner of
 * a private memory.
 */
export const ACCESS_ROLES = ['admin', 'maintainer', 'contributor', 'reader', 'self'] as const;
export type AccessRole = (typeof ACCESS_ROLES)[number];

/** The columns' headings. */
export const ACCESS_ROLE_NAMES: Readonly<Record<AccessRole, string>> = {
  admin: 'owner, admin',
  maintainer: 'maintainer',
  contributor: 'contributor',
  reader: 'reader, viewer',
  self: 'anyone, own private',
};

/** What is granted, with the words that a table shows for it. */
export const GRANTS = {
  yes: 'yes',
  no: '–',
  /** Only with a membership, and then as that membership says. */
  member: 'as members',
  /** The act itself is a maintainer's or an admin's; one may ask for it. */
  propose: 'propose',
  /** In the projects one maintains. */
  project: 'their projects',
  /** Where one maintains what joins and something that is in already; an empty group of one's own may be begun. */
  bothSides: 'both sides',
  dryRun: 'dry run',
  /** All of the tenant's, by asking for a run. */
  run: 'tenant-wide, by run',
  /** Of people who were removed. */
  removed: 'of removed people',
} as const;
export type Grant = keyof typeof GRANTS;

/** One thing that can be done, and who may. */
export interface Permission {
  readonly action: string;
  readonly title: string;
  readonly grants: Readonly<Record<AccessRole, Grant>>;
}

/** A row of the table: actions that belong together. */
export interface PermissionRow {
  readonly title: string;
  readonly permissions: readonly Permission[];
}

const allow = (
  action: string,
  title: string,
  [admin, maintainer, contributor, reader, self]: readonly [Grant, Grant, Grant, Grant, Grant],
): Permission => ({ action, title, grants: { admin, maintainer, contributor, reader, self } });

/** The table. Private memories are their owner's alone, and operators see no memory: neither is a row. */
export const PERMISSIONS = [
  {
    title: 'people, roles, settings, quotas, tokens of others, audit, schedules',
    permissions: [
      allow('manage-people', 'users, roles, tokens and sessions of others', ['yes', 'no', 'no', 'no', 'no']),
      allow('manage-tenant', 'settings of the tenant, quotas, audit, schedules', ['yes', 'no', 'no', 'no', 'no']),
      allow('manage-project', 'a project’s members, settings, remotes, review', ['yes', 'project', 'no', 'no', 'no']),
      allow('make-group', 'make and rename groups of projects', ['yes', 'yes', 'no', 'no', 'no']),
      allow('join-group', 'let a project into a group', ['yes', 'bothSides', 'no', 'no', 'no']),
      allow('leave-group', 'put a project out of a group', ['yes', 'project', 'no', 'no', 'no']),
      allow('delete-group', 'delete a group', ['yes', 'no', 'no', 'no', 'no']),
    ],
  },
  {
    title: 'see, search, vote on shared memories',
    permissions: [
      allow('see-project', 'what a project shares', ['member', 'yes', 'yes', 'yes', 'no']),
      allow('see-group', 'what a group shares', ['member', 'yes', 'yes', 'yes', 'no']),
      allow('see-tenant', 'what the tenant shares', ['yes', 'yes', 'yes', 'yes', 'no']),
      allow('vote', 'vote on what one was shown', ['member', 'yes', 'yes', 'yes', 'yes']),
    ],
  },
  {
    title: 'capture, edit or share own memories',
    permissions: [
      allow('capture-private', 'keep a memory for oneself', ['yes', 'yes', 'yes', 'yes', 'yes']),
      allow('capture-project', 'capture or share into a project', ['member', 'yes', 'yes', 'no', 'no']),
      allow('capture-reviewed', 'the same where the project reviews', ['member', 'yes', 'propose', 'no', 'no']),
      allow('capture-group', 'capture or share into a group', ['member', 'yes', 'propose', 'no', 'no']),
      allow('capture-tenant', 'capture or share for the whole tenant', ['yes', 'yes', 'propose', 'no', 'no']),
      allow('edit-own', 'edit one’s own shared memory', ['member', 'yes', 'yes', 'no', 'yes']),
      allow('demote-own', 'take one’s own shared memory back', ['member', 'yes', 'yes', 'yes', 'no']),
      allow('transfer-own', 'give one’s own shared memory to someone', ['member', 'yes', 'yes', 'yes', 'no']),
      allow('transfer-orphan', 'give away a shared memory whose owner left', ['member', 'no', 'no', 'no', 'no']),
      allow('settle-departure', 'have it handed over or archived with the removal', [
        'removed',
        'no',
        'no',
        'no',
        'no',
      ]),
    ],
  },
  {
    title: 'edit, pin, archive others’ shared memories; approve promotion; resolve conflicts; undo',
    permissions: [
      allow('edit-others', 'edit, pin, archive what others share in a project', ['no', 'yes', 'no', 'no', 'no']),
      allow('edit-others-group', 'the same in a group', ['no', 'yes', 'no', 'no', 'no']),
      allow('edit-others-tenant', 'the same for the whole tenant', ['yes', 'no', 'no', 'no', 'no']),
      allow('move-others', 'change who sees a memory of others', ['no', 'no', 'no', 'no', 'no']),
      allow('approve-project', 'decide a proposal for a project or a group', ['no', 'yes', 'no', 'no', 'no']),
      allow('approve-tenant', 'decide a proposal for the whole tenant', ['yes', 'no', 'no', 'no', 'no']),
    ],
  },
  {
    title: 'propagate, consolidate, clean up, prune with effect',
    permissions: [allow('maintain', 'maintenance with effect', ['run', 'project', 'dryRun', 'dryRun', 'yes'])],
  },
] as const satisfies readonly PermissionRow[];

/** The name of one thing that can be done. */
export type PermittedAction = (typeof PERMISSIONS)[number]['permissions'][number]['action'];

/** What someone of a role may do. @throws for an action that the table does not have */
export const grantOf = (action: string, role: AccessRole): Grant => {
  for (const { permissions } of PERMISSIONS) {
    const found = permissions.find((permission) => permission.action === action);
    if (found !== undefined) return found.grants[role];
  }
  throw new Error(`There is no action "${action}" in the table of permissions.`);
};
