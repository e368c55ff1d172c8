/** Shannon's entropy of a text in bits a character, by which a random secret is told from words. */
export const entropy = (text: string): number => {
  const counts = new Map<string, number>();
  let all = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    all += 1;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / all) * Math.log2(count / all);
  return bits;
};
