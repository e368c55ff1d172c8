/** What a text denies, forbids or excepts: each negation with the word it turns on, so that "A, not B" is not "B, not A". */
import { isStopWord, stem, wordsOf } from './words.js';

const NEGATORS = new Set(
  [
    'not no never none nothing nobody nowhere neither nor without cannot cant dont wont isnt arent doesnt didnt shouldnt',
    'mustnt couldnt wouldnt hasnt havent wasnt werent aint',
    'nicht nichts kein keine keinen keiner keinem keines nie niemals niemand weder ohne', // German
    'ne pas jamais sans aucun aucune rien ni non guère', // French
    'nunca jamás ningún ninguna ninguno nada nadie tampoco sin não nenhum nenhuma ninguém sem', // Spanish, Portuguese
    'mai senza nessun nessuno nessuna niente nulla', // Italian
    'niet geen nooit zonder niets inte ej aldrig ikke aldri uten ingen', // Dutch, Scandinavian
    'nie nigdy bez nem soha değil yok asla tidak bukan jangan tanpa không chưa đừng', // Polish, Hungarian, Turkish, Malay, Vietnamese
    'не нет нельзя никогда никто ничего без ні ніколи δεν μην χωρίς لا ليس لم لن بدون नहीं मत बिना לא אין בלי',
  ].flatMap((line) => line.split(' ')),
);
/** Words that narrow a statement; they are compared like negations, but each as itself. */
const LIMITS = new Set('except unless only rarely seldom hardly barely scarcely sometimes'.split(' '));
/** Words after a negation among which the one it turns on is looked for. */
const HEAD_WITHIN = 8;
const NOT_ONLY = /\bnot (?:only|just)\b/gi;

/** Han words in which the character denies nothing. */
const HARMLESS =
  /(\p{Script=Han})不\1|不同|不错|不过|不仅|不但|不断|不管|不论|不然|不如|不少|不久|不妨|差不多|对不起|无论|非常|未来|否则|[别別](?:人|名)|(?:特|分|区|區|级|級|类|類|差|识|識|性|个|個)[别別]|是否|能否|可否|没关系|无线/gu;
const HAN_NEGATION =
  /(?<negator>没有|沒有|禁止|禁用|严禁|切勿|没|沒|不|无|無|未|非|勿|毋|莫|甭|否|[别別](?=\p{Script=Han})|仅|除了|除非)(?:[要能会會可以应應该該得必需须再曾有用是在把被将])*\s*(?<head>\p{Script=Han}|[\p{Script=Latin}\p{N}_]+)?/gu;
const JAPANESE_NEGATION = /(?<head>[^\s、。]{0,2})(?:ない|なく|なかっ|ません|ずに|まい|なし)/gu;
const KOREAN_NEGATION = /(?<head>\S{0,2})(?:않|못|없|아니|지\s?마)|(?<=^|\s)안\s/gu;
const THAI_NEGATION = /(?:ไม่|ห้าม|อย่า)(?<head>\S{0,4})/gu;
const HAN_LIMITS = new Set(['仅', '除了', '除非']);

/** Marks of negation in a normalised text, sorted and each once. */
export const negationsOf = (text: string): string[] => [
  ...new Set([...latinNegations(text), ...hanNegations(text), ...unspacedNegations(text)].sort()),
];

const latinNegations = (text: string): string[] => {
  const words = wordsOf(text.replace(NOT_ONLY, ' '));
  return words.flatMap((word, index) => {
    const mark = isNegator(word) ? 'not' : LIMITS.has(word) ? word : undefined;
    if (mark === undefined) return [];
    const head = words.slice(index + 1, index + 1 + HEAD_WITHIN).find((next) => !isStopWord(next) && !isNegator(next));
    return [head === undefined ? mark : `${mark} ${stem(head)}`];
  });
};

/** French "n'" clings to its verb, English "n't" too. */
const isNegator = (word: string): boolean => NEGATORS.has(word) || word.endsWith("n't") || word.startsWith("n'");

const hanNegations = (text: string): string[] =>
  [...text.replace(HARMLESS, ' ').matchAll(HAN_NEGATION)].map(({ groups }) => {
    const negator = groups?.['negator'] ?? '';
    const mark = HAN_LIMITS.has(negator) ? negator : 'not';
    return `${mark} ${(groups?.['head'] ?? '').toLowerCase()}`.trimEnd();
  });

const unspacedNegations = (text: string): string[] =>
  [JAPANESE_NEGATION, KOREAN_NEGATION, THAI_NEGATION].flatMap((negation) =>
    [...text.matchAll(negation)].map(({ groups }) => `not ${groups?.['head'] ?? ''}`.trimEnd()),
  );

/** Whether a word denies by itself; the comparison of wording leaves such words to this file. */
export const isNegation = (word: string): boolean => isNegator(word) || /^[不没沒无無未非勿莫禁]$/u.test(word);
