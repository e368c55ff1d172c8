import { createHash } from 'node:crypto';

/** How a statement begins whose plan each connection keeps. */
const MARK = '/* kept */';

/** A mistake that put values into a marked text would make a new one each time; then no more are kept than these. */
const MOST = 200;

const names = new Map<string, string>();

const nameOf = (sql: string): string => `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;

/**
 * The name under which a connection keeps a statement with its plan; empty: it does not. For what every request asks, under
 * row-level security, making the plan takes longer than carrying it out (docs/decisions/0048-plans-that-are-kept.md). Marked are statements whose
 * plan is good for tenants of any size; a walk of a vector index is not, and is planned each time.
 */
export const keptName = ({ sql }: { readonly sql: string }): string => {
  if (!sql.trimStart().startsWith(MARK)) return '';
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size >= MOST) return '';
  const name = nameOf(sql);
  names.set(sql, name);
  return name;
};
