/** What a brief tells before a task, and how much of it there is room for. */

/** The parts of a brief, in the order in which it is read. */
export const BRIEF_PARTS = ['correction', 'question', 'decision', 'error', 'todo', 'alternative'] as const;
export type BriefPart = (typeof BRIEF_PARTS)[number];

/** One thing that a brief could tell. */
export interface BriefItem<Id extends string = string> {
  readonly id: Id;
  readonly part: BriefPart;
  /** How much it has to do with the task, 0 or more. */
  readonly weight: number;
  /** What it takes of the budget. */
  readonly tokens: number;
}

export interface PackedBrief<Item> {
  /** By part in the order of {@link BRIEF_PARTS}, then by weight. */
  readonly shown: readonly Item[];
  readonly leftOut: number;
  readonly tokens: number;
}

/**
 * Chooses what fits: the first of each part, then the second of each, so that no part crowds out another, each id once, and
 * whole items only. One that is too long gives way to the next; ties by id.
 * @param budget tokens of all items together
 * @param perPart the most of one part
 */
export const packBrief = <Item extends BriefItem>(
  items: readonly Item[],
  budget: number,
  perPart: number,
): PackedBrief<Item> => {
  const queues = new Map<BriefPart, Item[]>(BRIEF_PARTS.map((part) => [part, []]));
  const known = new Set<string>();
  for (const item of [...items].sort(byPartAndWeight)) {
    if (known.has(item.id)) continue;
    known.add(item.id);
    queues.get(item.part)?.push(item);
  }
  const shown: Item[] = [];
  let tokens = 0;
  for (let turn = 0; turn < perPart; turn += 1) {
    for (const part of BRIEF_PARTS) {
      const item = takeFitting(queues.get(part) ?? [], budget - tokens);
      if (item === null) continue;
      shown.push(item);
      tokens += item.tokens;
    }
  }
  return { shown: shown.sort(byPartAndWeight), leftOut: known.size - shown.length, tokens };
};

/** Takes the first that fits out of a queue. */
const takeFitting = <Item extends BriefItem>(queue: Item[], room: number): Item | null => {
  const place = queue.findIndex(({ tokens }) => tokens <= room);
  return place < 0 ? null : (queue.splice(place, 1)[0] ?? null);
};

const byPartAndWeight = (one: BriefItem, other: BriefItem): number =>
  BRIEF_PARTS.indexOf(one.part) - BRIEF_PARTS.indexOf(other.part) ||
  other.weight - one.weight ||
  (one.id < other.id ? -1 : 1);
