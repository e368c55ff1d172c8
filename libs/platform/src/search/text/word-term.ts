const LATIN_ONLY = /^[\p{Script=Latin}\p{Mn}]+$/u;

/** One spelling for all forms of a word: lower case, without accents where the script is Latin. */
export function wordTerm(word: string): string {
  const lower = word.toLowerCase();
  if (/^[\x20-\x7f]*$/.test(lower) || !LATIN_ONLY.test(lower)) return lower;
  return lower.normalize('NFD').replace(/\p{Mn}/gu, '');
}
