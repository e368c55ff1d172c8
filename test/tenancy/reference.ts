/** What kind of row an id names. */
export type ReferenceKind =
  | 'memory'
  | 'project'
  | 'work_session'
  | 'retrieval'
  | 'login_session'
  | 'app_user'
  | 'maintenance_run'
  | 'project_group'
  | 'proposal'
  | 'audience_change'
  | 'upkeep_run'
  | 'data_export'
  | 'profile'
  | 'conversation';

/**
 * A statement that points at a row by its id. `$1` is the writer's tenant, `$2` the writer, `$3` the id pointed at, `$4` a
 * memory and `$5` a retrieval of the writer's own. With an id that the writer may not use it must fail.
 */
export interface Reference {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly sql: string;
}

/** What a machine writes that points at a row. */
export interface MachineReference extends Reference {
  readonly role: 'mem_worker' | 'mem_text';
}
