/**
 * Terms of a run of characters written without spaces: every two neighbours, and every single one, so that words of one,
 * two or more characters are found inside a sentence without knowing where words begin.
 */
export function cjkTerms(run: string): string[] {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
  return [...characters, ...pairs];
}
