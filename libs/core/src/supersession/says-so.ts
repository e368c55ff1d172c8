/** Whether a text says by itself that it takes the place of another: "pnpm instead of yarn". */
import { contentStems, isStopWord, normalise, stem, wordsOf } from '../conflict-guard/words.js';

const MARKS =
  /\b(?:instead of|in place of|rather than|no longer|not any ?more|replac(?:e|es|ed|ing)|supersed(?:e|es|ed|ing)|switch(?:ed|ing)? (?:away )?from|mov(?:e|ed|ing) (?:away )?from|migrat(?:e|ed|ing) (?:away )?from)\b|不再|改用|取代|代替|替换|替換|而不是|やめ|代わりに|대신/giu;
/** What is given up stands so near behind the mark, in words that say something. */
const NAMED_WITHIN = 3;
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/**
 * Whether the newer text says all that the older one says and, with a mark, that something of it is given up. All of it: a
 * text on another subject lacks the word that names the older one's.
 */
export const saysItReplaces = (older: string, newer: string): boolean => {
  const [was, is] = [normalise(older), normalise(newer)];
  const known = new Set(contentStems(wordsOf(was)));
  if (known.size === 0) return false;
  const said = new Set(contentStems(wordsOf(is)));
  if (![...known].every((word) => said.has(word))) return false;
  return [...is.matchAll(MARKS)].some((mark) => {
    // Their grammar has what is given up on either side.
    if (HAN.test(mark[0])) return true;
    const named = wordsOf(is.slice(mark.index + mark[0].length))
      .filter((word) => !isStopWord(word))
      .slice(0, NAMED_WITHIN);
    return named.some((word) => known.has(stem(word)));
  });
};
