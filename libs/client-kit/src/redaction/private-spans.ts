/** The type under which an answer names what a person marked as private. */
export const PRIVATE = 'private';

const TAG = /<(\/?)private>/gi;

/** A text without what stands between `<private>` and `</private>`, and how many such stretches there were. */
export interface WithoutPrivate {
  readonly text: string;
  readonly count: number;
}

/**
 * Cuts what a person marked as private. Tags nest, and one that nobody closes hides all that follows: what is cut in the middle
 * must not show more than what is whole.
 */
export const withoutPrivate = (text: string): WithoutPrivate => {
  if (!/<private>/i.test(text)) return { text, count: 0 };
  let kept = '';
  let from = 0;
  let depth = 0;
  let count = 0;
  for (const { 0: tag, 1: closes, index } of text.matchAll(TAG)) {
    if (closes === '') {
      if (depth === 0) {
        kept += text.slice(from, index);
        count += 1;
      }
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) from = index + tag.length;
    }
  }
  return { text: depth === 0 ? kept + text.slice(from) : kept, count };
};
