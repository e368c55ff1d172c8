/**
 * What the worker's two sides agree on about erasures. Workflow code takes types alone from here: ids are all that the engine
 * stores.
 */

/** Erases one person, batch by batch. */
export const ERASURE_WORKFLOW = 'eraseUser';

/** An erasure of a tenant. Where it stands is in its row. */
export interface ErasureRef {
  readonly tenantId: string;
  readonly erasureId: string;
}

/** What the workflow asks of the outside world. It may be repeated at any time: a batch is done once. */
export interface ErasureActivities {
  /** Erases some rows, or searches some tables. @returns whether there are more */
  eraseRows(ref: ErasureRef): Promise<boolean>;
}
