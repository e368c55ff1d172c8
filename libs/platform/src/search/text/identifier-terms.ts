/** What joins the words of an identifier, path, version or address. */
const PATH_JOINT = /[/:@]+/;
const WORD_JOINT = /[._\-+#]+/;
/** `processOrder` → process, Order; `HTTPServer` → HTTP, Server; `utf8` → utf, 8. */
const INNER_WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+|\p{Lu}/gu;

/**
 * All the ways in which someone may ask for one chunk of connected letters: as it is, its path segments, the words of a
 * segment, and the inner words of a word. `src/OrderService.ts` gives itself, src, OrderService.ts, OrderService, Order,
 * Service, ts. Each distinct spelling once; case as in the text.
 */
export function identifierTerms(chunk: string): string[] {
  const terms = new Set([chunk]);
  for (const segment of pieces(chunk, PATH_JOINT)) {
    terms.add(segment);
    for (const word of pieces(segment, WORD_JOINT)) {
      terms.add(word);
      const inner = word.match(INNER_WORDS) ?? [];
      // Single letters of a split word (the s of `30s`) match everywhere and say nothing.
      for (const part of inner) if (part.length > 1 || /\p{N}/u.test(part)) terms.add(part);
    }
  }
  return [...terms];
}

function pieces(text: string, joint: RegExp): string[] {
  return text.split(joint).filter((piece) => piece !== '');
}
