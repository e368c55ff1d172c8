/**
 * Everything that a workflow's history says, as one text: its strings, and what its payloads hold, since those are bytes that no
 * search would find.
 */
export const textsOf = (history: unknown): string => {
  const found: string[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') return void found.push(value);
    if (value instanceof Uint8Array) return void found.push(Buffer.from(value).toString('utf8'));
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [name, part] of Object.entries(value)) {
      found.push(name);
      visit(part);
    }
  };
  visit(history);
  return found.join('\n');
};
