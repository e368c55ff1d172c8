/** The rows in the order of the keys a DataLoader asked for; null where there is none. */
export const inOrderOf = <K, V>(keys: readonly K[], rows: readonly V[], keyOf: (row: V) => K): (V | null)[] => {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key) ?? null);
};

/** All rows of each key, in the order of the keys. */
export const groupedInOrderOf = <K, V>(keys: readonly K[], rows: readonly V[], keyOf: (row: V) => K): V[][] => {
  const groups = new Map<K, V[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
};
