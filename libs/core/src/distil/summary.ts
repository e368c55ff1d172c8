/** A conversation in at most three sentences: what was asked, decided, left open, in the words of those who spoke. */
import type { DistilledFact } from './conversation.js';
import { eastAsianShare } from './terms.js';

const LONGEST_PART = 200;
const MOST_DECISIONS = 3;
const MOST_OPEN = 2;

interface Words {
  readonly asked: string;
  readonly decided: string;
  readonly open: string;
  readonly separator: string;
  readonly end: string;
}

const ENGLISH: Words = { asked: 'Asked: ', decided: 'Decided: ', open: 'Left open: ', separator: '; ', end: '.' };
const CHINESE: Words = { asked: '所问：', decided: '决定：', open: '未决：', separator: '；', end: '。' };
const JAPANESE: Words = { asked: '依頼：', decided: '決定：', open: '未決：', separator: '；', end: '。' };
/** Other languages keep their own words and get none of ours. */
const OTHER: Words = { asked: '', decided: '', open: '', separator: '; ', end: '.' };

const wordsFor = (text: string): Words => {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]{2,}/u.test(text)) return JAPANESE;
  if (eastAsianShare(text) > 0.5) return CHINESE;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => /^(?:the|to|of|and|is|we|in|it|for|with|use|a|that|on|be)$/.test(word)).length;
  return words.length === 0 || english / words.length > 0.08 || /^[\p{Script=Latin}\s\P{L}]{0,60}$/u.test(text)
    ? ENGLISH
    : OTHER;
};

/** One sentence of several statements: ends within would make it many. */
const sentence = (lead: string, parts: readonly string[], { separator, end }: Words): string[] => {
  const said = parts
    .map((part) =>
      part
        .replace(/\s+/g, ' ')
        .replace(/[.!?。！？…\s]+$/u, '')
        .replace(/[.!?](?=\s+\p{Lu})|[。！？]/gu, ';'),
    )
    .map((part) => (part.length > LONGEST_PART ? `${part.slice(0, LONGEST_PART - 1).trimEnd()}…` : part));
  return said.length === 0 ? [] : [`${lead}${said.join(separator)}${end}`];
};

/** @param asked what was asked first; null where nothing was */
export const summarise = (asked: string | null, facts: readonly DistilledFact[]): string => {
  const contents = (kinds: readonly string[], most: number): string[] =>
    facts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ content }) => content)
      .slice(0, most);
  const words = wordsFor([asked ?? '', ...facts.map(({ content }) => content)].join('\n'));
  const isTold =
    asked !== null &&
    facts.some(({ kind, evidence }) => kind !== 'episode' && evidence.some(({ quote }) => quote.includes(asked)));
  return [
    ...sentence(words.asked, asked === null || isTold ? [] : [asked], words),
    ...sentence(words.decided, contents(['decision', 'correction'], MOST_DECISIONS), words),
    ...sentence(words.open, contents(['todo'], MOST_OPEN), words),
  ].join(words.end === '。' ? '' : ' ');
};
