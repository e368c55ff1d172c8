/**
 * What the worker's two sides agree on about changes of encoder. Workflow code takes types alone from here: ids are all that
 * the engine stores.
 */

/** Moves a tenant's change of encoder on, batch by batch. */
export const REEMBED_WORKFLOW = 'reembed';

/** A tenant that changes its encoder. Where it stands is in its row. */
export interface ReembedRef {
  readonly tenantId: string;
}

/** What the workflow asks of the outside world. It may be repeated at any time: a batch is done once. */
export interface ReembedActivities {
  /** @returns `wait`: the readers have enough to do; `over`: nothing is left to do now */
  moveEncoderChange(ref: ReembedRef): Promise<'more' | 'wait' | 'over'>;
}
