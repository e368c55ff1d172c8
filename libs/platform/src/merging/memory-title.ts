import { isVisible } from '@tempera/client-kit';

const MAX_TITLE = 120;
const HEADING_MARKS = /^[\s#>*\-–•`]+/;
/** Not inside 1.5 or e.g. a file name: a sentence's end is followed by space, or is a full-width mark. */
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/;

/** The first sentence of a text as a title: one line, without marks of lists and headings, at most 120 characters. */
export const titleOf = (text: string): string => {
  const lines = text.split(/[\n\r\u0085\u2028\u2029]+/).map((line) => line.replace(HEADING_MARKS, '').trim());
  const line = (lines.find(isVisible) ?? text.trim()).replace(/\s+/g, ' ');
  const end = line.search(SENTENCE_END);
  const sentence = end > 0 ? line.slice(0, end + 1).replace(/(?<!\.)\.$/, '') : line;
  const characters = [...sentence];
  if (characters.length <= MAX_TITLE) return sentence;
  const cut = characters.slice(0, MAX_TITLE - 1).join('');
  const space = cut.lastIndexOf(' ');
  // Not back to the beginning of a long word or of a text without spaces.
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
};

/** What is read by encoders, keyword search and the conflict guard: the text, after its title where that says more. */
export const fullTextOf = ({ title, text }: { readonly title: string; readonly text: string }): string =>
  text.includes(title.replace(/…$/, '')) || titleOf(text) === title ? text : `${title}\n${text}`;
