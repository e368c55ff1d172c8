import type { AttackName } from './attacks.js';
import type { Enter } from './checks/door.check.js';

/** A way in which the isolation could be broken by one slip, and the attacks of which at least one must notice. */
export interface Mutant {
  readonly name: string;
  /** Run by a superuser on a fresh database. */
  readonly sql?: string;
  /** A broken door instead of ours. */
  readonly enter?: Enter;
  readonly noticedBy: readonly AttackName[];
}
