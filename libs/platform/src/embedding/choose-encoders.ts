import type { EncoderName } from './encoder-card.js';

const ENGLISH: EncoderName = 'bge-small-en-v1.5';
const CHINESE: EncoderName = 'bge-small-zh-v1.5';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** A word of prose: letters only. What holds digits, dots, slashes, underscores or inner capitals is code and says nothing about the language. */
const LATIN_WORD = /(?<![\p{L}\p{N}_./\\@#$-])\p{Lu}?\p{Ll}+(?![\p{L}\p{N}_/\\@#$-])/gu;

/** A Latin word carries about as much as this many Chinese characters. */
const CHARACTERS_PER_WORD = 1.5;
/** Below this share of a text, a language is quoted rather than written. */
const SPOKEN_SHARE = 0.3;
const FEW_WORDS = 3;

/**
 * The encoders that can read a text: Latin and other alphabets go to the English one, Chinese and Japanese to the Chinese
 * one, a text written in both to both. Names of things do not count: an identifier inside a Chinese sentence leaves it
 * Chinese, a Chinese name inside an English one leaves it English. That matters because the English vocabulary knows few
 * Chinese characters, so that any two Chinese texts look alike to it.
 */
export function chooseEncoders(text: string): EncoderName[] {
  const sample = text.slice(0, 20_000);
  const characters = sample.match(CJK)?.length ?? 0;
  if (characters === 0) return [ENGLISH];
  const words = sample.match(LATIN_WORD)?.length ?? 0;
  const chinese = characters / CHARACTERS_PER_WORD;
  const share = words / (words + chinese);
  if (words < FEW_WORDS || share < SPOKEN_SHARE) return [CHINESE];
  return share > 1 - SPOKEN_SHARE ? [ENGLISH] : [ENGLISH, CHINESE];
}
