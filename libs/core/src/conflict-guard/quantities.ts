/** Numbers, units and versions of a text, in the order they stand. */
import { withDigits } from './numerals.js';

/** Spellings of one unit; a unit that is not here is compared as it is written. */
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ms: 'ms msec msecs millisecond milliseconds 毫秒',
    μs: 'μs us microsecond microseconds 微秒',
    s: 's sec secs second seconds 秒 秒钟',
    min: 'm min mins minute minutes 分钟 分',
    h: 'h hr hrs hour hours 小时 个小时 时',
    d: 'd day days 天 日',
    week: 'w wk week weeks 周 星期 个星期',
    month: 'mo month months 月 个月',
    year: 'y yr year years 年',
    '%': '% percent pct',
    b: 'b byte bytes 字节',
    kb: 'kb kilobyte kilobytes',
    mb: 'mb megabyte megabytes 兆',
    gb: 'gb gigabyte gigabytes',
    tb: 'tb terabyte terabytes',
    times: 'times 次 遍',
    x: 'x fold 倍',
  }).flatMap(([unit, spellings]) => spellings.split(' ').map((spelling) => [spelling, unit] as const)),
);
const OWN_SPELLINGS =
  'kib mib gib tib px rem em pt hz khz mhz ghz rps qps fps kbps mbps gbps mm cm km kg k 万 千 百 亿 个 条 台 行 页 人 核';
const KNOWN_UNITS = new Map([...UNITS, ...OWN_SPELLINGS.split(' ').map((unit) => [unit, unit] as const)]);

const QUANTITY =
  /(?<relation>[<>!=]=|[<>~^])?\s?(?<![\p{Script=Latin}\p{N}_.])(?<sign>[-+])?(?<currency>[$€£¥])?(?<prefix>[vV])?(?<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:_\d+)*)(?<rest>(?:\.\d+)*)(?<tag>-(?:alpha|beta|rc|pre|next|canary)[\w.]*)?/gu;
const FOLLOWING =
  /(\s?)(%|°[CF]?|[\p{Script=Latin}μ]+|个(?:小时|星期|月)|分钟|小时|星期|毫秒|微秒|秒钟|字节|\p{Script=Han})/uy;
const CALLED_VERSION = /(?:version|release|版本号?|版)\s*[:=]?\s*$/i;

/** One number as it is compared: `value` as written without separators, so that 1.10 is not 1.1. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
  readonly isVersion: boolean;
}

/** Every number of a normalised text with its unit, relation and sign; each once, in order of first mention. */
export const quantitiesOf = (text: string): Quantity[] => {
  const digits = withDigits(text);
  const found = new Map<string, Quantity>();
  for (const match of digits.matchAll(QUANTITY)) {
    const {
      relation = '',
      sign = '',
      currency = '',
      prefix,
      digits: whole = '',
      rest = '',
      tag = '',
    } = match.groups ?? {};
    const isVersion =
      prefix !== undefined ||
      tag !== '' ||
      rest.split('.').length > 2 ||
      CALLED_VERSION.test(digits.slice(Math.max(0, match.index - 12), match.index));
    const value = `${relation}${sign === '-' ? '-' : ''}${whole.replace(/[,_]/g, '')}${rest}${tag}`;
    const unit = isVersion ? '' : currency + unitAt(digits, match.index + match[0].length);
    const key = `${value} ${unit}`;
    if (!found.has(key)) found.set(key, { value, unit, isVersion });
  }
  return [...found.values()];
};

/** The text without its numbers and their units, for comparisons that are not about them. */
export const withoutQuantities = (text: string): string => {
  const digits = withDigits(text);
  let rest = '';
  let end = 0;
  for (const match of digits.matchAll(QUANTITY)) {
    rest += `${digits.slice(end, match.index)} `;
    end = match.index + match[0].length;
    if (unitAt(digits, end) !== '') end = FOLLOWING.lastIndex;
  }
  return rest + digits.slice(end);
};

/** The unit that follows a number. Letters that cling to it ("5xx") are always read; a word apart only if it is a unit. */
const unitAt = (text: string, index: number): string => {
  FOLLOWING.lastIndex = index;
  const [, space, written] = FOLLOWING.exec(text) ?? [];
  if (written === undefined) return '';
  // Case tells bits from bytes and nothing else.
  if (/^[KMGT]b$/.test(written)) return `${written.charAt(0).toLowerCase()}bit`;
  const known = KNOWN_UNITS.get(written.toLowerCase());
  if (known !== undefined) return known;
  return space === '' && /^\p{Script=Latin}/u.test(written) ? written.toLowerCase() : '';
};
