const AT_ONCE = 2;

/** Does the work for each item, two at a time: the machines this runs on have two cores. Results in order of the items. */
export const inPairs = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await work(item, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
};
