/** What a sentence is about: its words that say something, and its anchors, which name one thing rather than a sort of things. */
import { isStopWord, normalise, stem, wordsOf } from '../conflict-guard/words.js';

/** Words that fit any conversation about work. */
const GENERIC = new Set(
  (
    'thing things stuff something anything everything nothing issue issues problem problems change changes update updates work works working task tasks ' +
    'make makes made making fix fixes fixed fixing test tests code good better best nice great fine well ok okay yes yeah sure right wrong new old ' +
    'go going goes come need needs want wants like look looks looking see seen check checks checked try tries tried use uses used using first second ' +
    'next last later now today tomorrow tonight morning afternoon evening week weeks day days month time times bit little lot more most less much many ' +
    'some all thanks thank please received noted done ready team everyone people person way ways case cases part parts part version versions run runs running ' +
    'add adds added adding put set take give get keep let think know say tell ask send sent write finish start end move back two one three few another other ' +
    'place places copy adjust adjusted fine-tune show real only once forever no not never always instead help done still problem stable smooth normal progress'
  )
    .split(' ')
    .map(stem),
);
const GENERIC_HAN =
  /问题|东西|事情|方案|情况|工作|内容|今天|明天|今晚|晚上|下午|上午|本周|下周|周[一二三四五六日末]|大家|辛苦|收到|好的|可以|没有|一下|一版|一点|一个|这个|那个|这块|那块|我们|你们|他们|目前|现在|之后|后续|后面|然后|所以|但是|如果|比如|已经|正在|完成|进展|进度|稳定|正常|需要|继续|推进|同步|处理|更新|调整|优化|修改|检查|对应|看看|试试|材料|安排|先|再|补|改|做|加|看|给|发|写|跑|搞|弄|两|三|几|条|处|个|版|点/gu;

const HAN = /\p{Script=Han}/gu;

/** How much of a text is written in Han characters and kana, 0..1 of its letters. */
export const eastAsianShare = (text: string): number => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const east = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  // A Han character says about as much as a third of an English word.
  return letters === 0 ? 0 : (3 * east) / (letters + 2 * east);
};

/** Names of things: what has a capital within, a digit, an underscore, a dot, a slash or quotes around it. */
const ANCHOR =
  /`[^`\n]{2,80}`|["“「『][^"”」』\n]{2,60}["”」』]|(?<![\p{L}\p{N}_])(?:[\p{Script=Latin}\p{N}_]{1,40}[./_:+#-])*(?:\p{Lu}{2,}[\p{Script=Latin}\p{N}]*|\p{Script=Latin}{1,30}\p{Ll}\p{Lu}[\p{Script=Latin}\p{N}]*|\p{Script=Latin}*\p{N}[\p{Script=Latin}\p{N}.%]*|[\p{Script=Latin}]{1,30}[._/-][\p{Script=Latin}\p{N}._/-]{1,60})/gu;
/** A capital inside a sentence is a name. */
const NAME_WITHIN = /(?<=[\p{Ll}\p{N},;:)] )\p{Lu}[\p{Script=Latin}\p{N}]{2,30}/gu;
const NAME_IN_HAN =
  /(?<=[\p{Script=Han}，、：（])[A-Za-z][A-Za-z0-9.+#-]{1,30}|\b[A-Z][A-Za-z0-9.+#-]{1,30}(?=\p{Script=Han})/gu;

/** What names one thing, in lower case, each once. */
export const anchorsOf = (text: string): string[] => [
  ...new Set(
    [ANCHOR, NAME_WITHIN, NAME_IN_HAN]
      .flatMap((pattern) => text.match(pattern) ?? [])
      .map((anchor) => anchor.toLowerCase().replace(/^[`"“「『]|[`"”」』.]$/gu, ''))
      .filter((anchor) => anchor.length > 1),
  ),
];

/** Stems of the Latin words that say something beyond any conversation, and pairs of Han characters that do. */
export const telling = (text: string): string[] => {
  const plain = normalise(text);
  const latin = wordsOf(plain.replace(HAN, ' '))
    .filter((word) => word.length > 1 && !isStopWord(word) && !/^\d+$/.test(word))
    .map(stem)
    .filter((word) => !GENERIC.has(word));
  return [...new Set([...latin, ...hanPairs(plain)])];
};

const hanPairs = (text: string): string[] =>
  (text.replace(GENERIC_HAN, ' ').match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) => {
    const signs = [...run].filter((sign) => !isStopWord(sign));
    return signs.slice(1).map((sign, index) => `${signs[index] ?? ''}${sign}`);
  });

/** How much of the smaller of two sets is in the other, 0..1. */
export const overlap = (one: readonly string[], other: readonly string[]): number => {
  const least = Math.min(one.length, other.length);
  if (least === 0) return 0;
  const there = new Set(other);
  return one.filter((term) => there.has(term)).length / least;
};

/** How much a text says beyond any conversation; a pair of Han characters says less than a word. */
export const weightOf = (text: string): number =>
  telling(text).reduce(
    (sum, term) => sum + (/\p{Script=Han}/u.test(term) ? 0.75 : 1),
    Math.min(2, anchorsOf(text).length),
  );
