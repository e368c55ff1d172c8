/** Where a text may be cut, best first. Each pattern matches the separator, which stays with the part before it. */
const BOUNDARIES = [/\n\s*\n/g, /\n/g, /[。！？；]|[.!?;]\s/g, /\s/g];

/**
 * Cuts a text into consecutive parts of at most `partTokens` tokens each, which joined give the text again. Cuts fall near
 * equal lengths, at a paragraph, line, sentence or word where one is near: equal parts read better than a full window and
 * a stump. A text that fits is one part; blank parts are left out.
 *
 * Lazy: counting the tokens of 64 KiB takes 30 ms, and each half is counted again. After every count that gave no part yet
 * it gives null, so that whoever takes parts can do something else in between.
 *
 * @param countTokens tokens of a text, special tokens not counted
 */
export function* cutText(
  text: string,
  partTokens: number,
  countTokens: (text: string) => number,
): Generator<string | null, void> {
  if (text.trim() === '') return;
  const tokens = countTokens(text);
  // A single unbreakable character cannot be cut any further.
  if (tokens <= partTokens || text.length < 2) {
    yield text;
    return;
  }
  yield null;
  const parts = Math.ceil(tokens / partTokens);
  const cut = nearestBoundary(text, Math.floor(parts / 2) / parts);
  yield* cutText(text.slice(0, cut), partTokens, countTokens);
  yield* cutText(text.slice(cut), partTokens, countTokens);
}

/** The best place to cut within an eighth of the text around the wanted share of its length; always inside the text. */
function nearestBoundary(text: string, share: number): number {
  const target = Math.min(Math.max(1, Math.round(text.length * share)), text.length - 1);
  const reach = Math.floor(text.length / 8);
  const start = Math.max(1, target - reach);
  const window = text.slice(start, Math.min(text.length - 1, target + reach));
  for (const pattern of BOUNDARIES) {
    const cuts = [...window.matchAll(pattern)].map((match) => start + match.index + match[0].length);
    if (cuts.length > 0)
      return cuts.reduce((best, cut) => (Math.abs(cut - target) < Math.abs(best - target) ? cut : best));
  }
  return isInsidePair(text, target) ? (target + 1 === text.length ? target - 1 : target + 1) : target;
}

function isInsidePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
