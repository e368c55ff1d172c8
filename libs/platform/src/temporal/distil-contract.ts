/**
 * What the worker's two sides agree on about distilling. Workflow code takes types alone from here: ids and numbers are all
 * that the engine stores.
 */

/** Waits until a conversation is quiet, then draws from it what is worth knowing. */
export const DISTIL_WORKFLOW = 'distilConversation';
/** A turn was kept: it is not quiet yet. */
export const TURN_KEPT_SIGNAL = 'turnKept';
/** Its owner wants it now. */
export const DISTIL_NOW_SIGNAL = 'distilNow';

export interface DistilRef {
  readonly tenantId: string;
  readonly conversationId: string;
}

/** What the workflow asks of the outside world. It may be repeated at any time: a turn is drawn from once, a fact written once. */
export interface DistilActivities {
  /** How long a conversation must be quiet, as its tenant wants it. */
  quietSeconds(ref: DistilRef): Promise<number>;
  /** Draws from the turns that are new. @returns whether there are more */
  distilTurns(ref: DistilRef): Promise<boolean>;
}
