/** Signs that carry meaning without a word: ✅ and ❌, → and ←, < and >, == and !=, + and -, [x] and [ ], ~~struck out~~. */
import { contentStems, stem, wordsOf } from './words.js';

/** Several spellings of one sign. */
const SAME: ReadonlyMap<string, string> = new Map(
  [
    '✔ ✅ ☑ 🗸 [x] [X]',
    '✘ ❌ ✗ ✖ ☒ ❎',
    '☐ [ ]',
    '→ -> --> ---> => ==> ⇒ ⟶ ⟹ ➡ ➔ ➜ ➝ ➞',
    '← <- <-- <--- ⇐ ⟵ ⟸ ⬅',
    '↔ <-> <--> <=> ⇔ ⟷ ⟺ ⬌',
    '!= ≠ <>',
    '!== ≢',
    '== ≡',
    '&& ∧',
    '|| ∨',
  ].flatMap((line) => {
    const [sign = '', ...spellings] = line.replaceAll('[ ]', '[_]').split(' ');
    return spellings.map((spelling) => [spelling.replace('[_]', '[ ]'), sign] as const);
  }),
);

const STRUCK = /~~([^~]+)~~|<(?:del|s|strike)>([^<]+)<\/(?:del|s|strike)>/gu;
/** What Markdown puts before a text that is no different for it. */
const QUOTE_MARKS = /^[ \t]*(?:>[ \t]?)+(?=\p{L})/gmu;
const RULES = /={4,}|^=+$|\+{3,}/gmu;
/**
 * Operators first, longest first; then a NOT before a word, a box of a list, and every picture. A single dash, stroke,
 * slash or star is mostly punctuation, so it never counts: of + and - the + does, of * and / the * between two words.
 */
const SIGN = new RegExp(
  [
    String.raw`<?-{1,3}>|<-{1,3}(?![\d-])|<?={1,2}>|[=!]==?|<>|[<>]=?|=|&&|\|\||\+{1,2}`,
    String.raw`(?<![\p{L}\p{N}_!?])!(?=[\p{L}_(])`,
    String.raw`(?<![\p{L}\p{N}_\])])\[[ xX]\](?!\()`,
    String.raw`(?<=[\p{L}\p{N})\]] )\*(?= [\p{L}\p{N}(])`,
    String.raw`(?![©®°¦~|])(?:\p{Extended_Pictographic}|\p{So}|\p{Sm})|\p{Sc}(?![\p{L}\p{N}_{(])`,
  ].join('|'),
  'gu',
);
/** How far from a sign the word it stands for is looked for. */
const REACH = 80;

/** The signs of a normalised text, in order, each with the word it stands for: "✅ tabs ❌ spaces" is not "✅ spaces ❌ tabs". */
export const symbolsOf = (text: string): string[] => {
  const struck = [...text.matchAll(STRUCK)].map(
    ([, markdown, html]) =>
      `~~ ${wordsOf(markdown ?? html ?? '')
        .map(stem)
        .join(' ')}`,
  );
  const plain = text
    .replace(STRUCK, (_, markdown?: string, html?: string) => ` ${markdown ?? html ?? ''} `)
    .replace(QUOTE_MARKS, '')
    .replace(RULES, ' ');
  return [...struck, ...signsOf(plain)];
};

const signsOf = (text: string): string[] =>
  [...text.matchAll(SIGN)].map(({ 0: sign, index }) => {
    const end = index + sign.length;
    const [after] = contentStems(wordsOf(text.slice(end, end + REACH)));
    const subject = after ?? contentStems(wordsOf(text.slice(Math.max(0, index - REACH), index))).at(-1);
    return `${SAME.get(sign) ?? sign}${subject === undefined ? '' : ` ${subject}`}`;
  });
