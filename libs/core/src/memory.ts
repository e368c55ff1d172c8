/** The words of memory: what is remembered, who may see it, how fast it may fade (docs/design.md, "Words"). */

declare const brand: unique symbol;

/** A value that carries, in its type only, what it identifies, so that a user's id never passes for a memory's. */
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** One organisation; every row with user data carries it. */
export type TenantId = Branded<string, 'TenantId'>;
/** One person in one tenant; the same person in two tenants is two users. */
export type UserId = Branded<string, 'UserId'>;
/** One code base in a tenant, known by its normalised git remotes. */
export type ProjectId = Branded<string, 'ProjectId'>;
/** A set of projects that share memories of scope `group`. */
export type GroupId = Branded<string, 'GroupId'>;
/** One remembered thing. */
export type MemoryId = Branded<string, 'MemoryId'>;
/** A run of captures that belong together. */
export type SessionId = Branded<string, 'SessionId'>;
/** One recorded answer: who asked what and which memories were shown. */
export type RetrievalId = Branded<string, 'RetrievalId'>;
/** One execution of maintenance for a tenant and a run date. */
export type RunId = Branded<string, 'RunId'>;

/** Every id of this room, by name: `asId<MemoryId>(row.id)` where a row, a parsed argument or a generator made it. */
export type Id = TenantId | UserId | ProjectId | GroupId | MemoryId | SessionId | RetrievalId | RunId;

/**
 * Names what a string identifies. It checks nothing: parse at the edge, then brand.
 * @param value an id already known to be well formed
 */
export const asId = <T extends Id>(value: string): T => value as T;

/** `episode` is a piece of work with an outcome; the others are facts. */
export const MEMORY_KINDS = [
  'episode',
  'preference',
  'background',
  'decision',
  'todo',
  'correction',
  'question',
] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Who can see a memory: its owner, the project's members, members of the group's projects, everyone in the tenant. */
export const SCOPES = ['private', 'project', 'group', 'tenant'] as const;
export type Scope = (typeof SCOPES)[number];

/** How fast a memory may fade, from never to within weeks; `none` is the default. Rates: decay.ts. */
export const VALIDITIES = ['forever', 'language', 'domain', 'project', 'dependency', 'workaround', 'none'] as const;
export type Validity = (typeof VALIDITIES)[number];

/** How an episode ended. */
export const OUTCOMES = ['success', 'partial', 'failure'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What sort of work an episode was. */
export const TASK_TYPES = [
  'bugfix',
  'feature',
  'refactor',
  'test',
  'docs',
  'research',
  'debug',
  'setup',
  'unknown',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** What vouches for a memory beside its author, from nothing to use in several projects; in order. */
export const VERIFICATIONS = ['untested', 'tests_pass', 'merged', 'stable', 'across_projects'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** Whether a person (or agent) asked, or a hook put the memories into a prompt unasked. Only `asked` counts as use. */
export const RETRIEVAL_KINDS = ['asked', 'injected'] as const;
export type RetrievalKind = (typeof RETRIEVAL_KINDS)[number];
