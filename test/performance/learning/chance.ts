import { createHash } from 'node:crypto';

/** A number in [0, 1) that depends on the seed and the words alone, so that neither order nor concurrency moves a draw. */
export const chance = (seed: number, ...words: readonly (string | number)[]): number =>
  createHash('sha256')
    .update(JSON.stringify([seed, ...words]))
    .digest()
    .readUIntBE(0, 6) /
  2 ** 48;

/** The items in an order that the seed decides. */
export const shuffled = <Item>(items: readonly Item[], seed: number, word: string): Item[] =>
  items
    .map((item, index) => ({ item, at: chance(seed, word, index) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
