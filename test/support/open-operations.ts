import { OPERATION_RULES, type Who } from '../../apps/api/src/auth/operation-rules.js';

const ofWhom = (who: Who): string[] =>
  Object.entries(OPERATION_RULES).flatMap(([name, rule]) => (rule.who === who ? name : []));

/** What needs no token. */
export const PUBLIC: readonly string[] = ofWhom('anyone');

/** What operators alone may do. */
export const OPERATORS: readonly string[] = ofWhom('operator');
