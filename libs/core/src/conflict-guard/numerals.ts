/** Numbers written as words, put into digits, so that "three retries" and "3 retries" agree and "five retries" does not. */

const ENGLISH = new Map(
  (
    'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, index) => [word, index === 0 ? 0 : index + 1] as const),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, 20 + 10 * index] as const),
);
const MAGNITUDES = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
]);
const SMALL = [...ENGLISH.keys(), ...TENS.keys(), 'one'].join('|');
/** "one" alone is mostly a pronoun ("this one"); it counts inside a longer numeral only. */
const ENGLISH_NUMERAL = new RegExp(
  `\\b(?:(?:${SMALL}|an?) (?:${[...MAGNITUDES.keys()].join('|')})|(?:${[...TENS.keys()].join('|')})[- ](?:${SMALL})|(?!one\\b)(?:${SMALL}))\\b`,
  'gi',
);

const englishValue = (numeral: string): number =>
  numeral
    .toLowerCase()
    .split(/[- ]/)
    .reduce((value, word) => {
      const magnitude = MAGNITUDES.get(word);
      if (magnitude !== undefined) return (value === 0 ? 1 : value) * magnitude;
      return value + (ENGLISH.get(word) ?? TENS.get(word) ?? (word === 'one' ? 1 : 0));
    }, 0);

const HAN_DIGITS = '零一二三四五六七八九';
const HAN_POWERS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
const HAN_NUMERAL =
  /(?<![第零〇一二两三四五六七八九十百千万亿])[零〇一二两三四五六七八九十百千万亿]{1,12}(?=毫秒|微秒|秒|分钟|个|小时|时|天|日|周|星期|月|年|次|倍|条|台|行|页|人|核|位|层|级|遍|轮|份|只|张|项|步|种|版|点|名|元|块|字节|兆|%)/g;
/** With these, 一 means "a", "some" or part of an adverb. */
const INDEFINITE = /^一(?=个|些|种|样|起|般|定|直|下|边|点|次性|级|时|只|块|项|步|位|层)/;
const PER_CENT = /百分之([零〇一二两三四五六七八九十百]{1,12}|\d+(?:\.\d+)?)/g;

const hanValue = (numeral: string): number => {
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const char of numeral.replaceAll('两', '二').replaceAll('〇', '零')) {
    const power = HAN_POWERS.get(char);
    if (power !== undefined) {
      section += (digit === 0 ? 1 : digit) * power;
      digit = 0;
    } else if (char === '万' || char === '亿') {
      total = (total + section + digit || 1) * (char === '万' ? 10_000 : 100_000_000);
      section = 0;
      digit = 0;
    } else {
      digit = digit * 10 + HAN_DIGITS.indexOf(char);
    }
  }
  return total + section + digit;
};

/** The text with its English and Chinese numerals in digits. */
export const withDigits = (text: string): string =>
  text
    .replace(PER_CENT, (_, share: string) => ` ${/^\d/.test(share) ? share : hanValue(share)}% `)
    .replace(HAN_NUMERAL, (numeral, offset: number) =>
      numeral === '一' && INDEFINITE.test(text.slice(offset, offset + 3)) ? numeral : ` ${hanValue(numeral)}`,
    )
    .replace(/\btwice\b/gi, '2 times')
    .replace(ENGLISH_NUMERAL, (numeral) => String(englishValue(numeral)));
