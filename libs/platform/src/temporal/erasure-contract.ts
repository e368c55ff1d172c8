/**
 * What the worker's two sides agree on about erasures. Workflow code takes types alone from here: ids are all that the engine
 * stores.
 */

/** Erases one person, batch by batch. */
export const ERASURE_WORKFLOW = 'eraseUser';
/** Erases one tenant, batch by batch. */
export const DELETION_WORKFLOW = 'deleteTenant';

/** An erasure of a tenant. Where it stands is in its row. */
export interface ErasureRef {
  readonly tenantId: string;
  readonly erasureId: string;
}

/** A tenant that was deleted and whose grace is over. */
export interface DeletionRef {
  readonly tenantId: string;
}

/** What the workflows ask of the outside world. It may be repeated at any time: a batch is done once. */
export interface ErasureActivities {
  /** Erases some rows, or searches some tables. @returns whether there are more */
  eraseRows(ref: ErasureRef): Promise<boolean>;
  /** Erases some rows of a tenant; at the end, after a search for what is left, its own. @returns whether there are more */
  deleteRows(ref: DeletionRef): Promise<boolean>;
}
