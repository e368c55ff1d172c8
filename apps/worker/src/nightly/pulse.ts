import type { StepCursor } from '@tempera/platform/temporal/contract';

/** How a long activity shows that it lives, and learns that it should stop. */
export interface Pulse {
  /** Where an earlier attempt had got to, if that is known; undefined at the first attempt. */
  readonly reached: StepCursor | null | undefined;
  /**
   * Shows life, with the place to go on from.
   * @throws CancelledFailure when the activity was cancelled or its worker is shutting down
   */
  beat(cursor: StepCursor | null): void;
}
