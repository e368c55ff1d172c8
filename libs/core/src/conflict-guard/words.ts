/** Words as the guard compares them: without inflection, and with Han characters one by one. */

/** One spelling for what looks alike: full-width forms, curly quotes, long dashes, comparison signs, links in brackets. */
export const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replaceAll('≥', '>=')
    .replaceAll('≤', '<=')
    .replace(/<(https?:\/\/[^\s<>]+)>/gi, '$1')
    // Whether a sign is drawn in colour.
    .replace(/[\uFE0E\uFE0F]/g, '');

const WORD =
  /\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}_'])+/gu;

/** Words of a normalised text in order, in lower case. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).map(withoutApostrophes).filter((word) => word !== '');

const withoutApostrophes = (word: string): string => {
  const name = trimEdges(word, "'", "'");
  return name.endsWith("'s") ? name.slice(0, -2) : name;
};

/**
 * A text without certain characters at its edges. By index, because a pattern such as `-+$` starts anew at each of a
 * long run of dashes and takes a minute for a text of dashes.
 */
export const trimEdges = (text: string, atStart: string, atEnd: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && atStart.includes(text.charAt(start))) start += 1;
  while (end > start && atEnd.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/** Words that carry grammar rather than matter; two texts may differ in them freely. */
const STOP_WORDS = new Set(
  (
    'a an the is are was were be been being am it its this that these those to of in on at by for with from as and or ' +
    'we you i they he she our your their my do does did done have has had having will would shall should must can could may ' +
    'might so then there here when while if also just very please now which who what how because since into via than but ' +
    'any each every always ever currently again up out off over under about roughly approximately around nearly almost due ' +
    'get gets got let lets us them him her one ones own both still already really simply thus hence therefore however'
  ).split(' '),
);
const STOP_HAN = new Set(
  '的了吗呢吧啊着过地得是在和与及或就都也很把被将会要能可以应该需须请我们你他她它这那个些所为于由对从到里中时候并且而但因此用使给让再又还已经其之每当',
);
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;

/** Whether a word says nothing by itself. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word) || STOP_HAN.has(word) || HIRAGANA.test(word);

/** Pairs people swap without meaning anything else; every other swap is taken for a difference. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['requir', 'need'],
  ['resolv', 'fix'],
  ['repair', 'fix'],
  ['solv', 'fix'],
  ['utiliz', 'us'],
  ['utilis', 'us'],
  ['begin', 'start'],
  ['launch', 'start'],
  ['delet', 'remov'],
  ['folder', 'directory'],
  ['dir', 'directory'],
  ['repo', 'repository'],
  ['db', 'databas'],
  ['docs', 'documentation'],
  ['doc', 'documentation'],
  ['env', 'environment'],
  ['prod', 'production'],
  ['dev', 'development'],
  ['ensur', 'sur'],
]);

/**
 * A word without its English ending, so that "caches", "cached" and "caching" are one. Crude on purpose: two words
 * wrongly made one only matter if they are also each other's opposite, and those are listed.
 */
export const stem = (word: string): string => {
  if (!/^[a-z']+$/.test(word)) return word.replace(/(?<=\p{Script=Hangul})[은는이가을를의에로도와과]$/u, '');
  let root = word;
  if (root.length > 4 && root.endsWith('ies')) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2);
  else if (root.length > 3 && /[^su]s$/.test(root)) root = root.slice(0, -1);
  root = root.replace(/(?<=[a-z]{3})(?:ing|ed)$/, '').replace(/(?<=[a-z]{2})e$/, '');
  root = root.replace(/([a-z])\1$/, '$1');
  return SYNONYMS.get(root) ?? root;
};

/** Words that say something, stemmed, in order; numbers are compared elsewhere. */
export const contentStems = (words: readonly string[]): string[] =>
  words.filter((word) => !isStopWord(word) && !/^\d+$/.test(word)).map(stem);

/** Stems of a text as people read them: each as the word that it is first written as there. */
export const asWritten = (text: string, stems: readonly string[]): string[] => {
  const words = new Map<string, string>();
  for (const word of wordsOf(text)) if (!words.has(stem(word))) words.set(stem(word), word);
  return stems.map((root) => words.get(root) ?? root);
};
