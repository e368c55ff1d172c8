/** The type under which an answer names what a person marked as private. */
export const PRIVATE = 'private';

const TAG = /<(\/?)private>/gi;

/** A text without what stands between `<private>` and `</private>`, and how many such stretches there were. */
export interface WithoutPrivate {
  readonly text: string;
  readonly count: number;
}

const cut = (text: string, opening: string, closing: string): WithoutPrivate => {
  if (!/<private>/i.test(text)) return { text, count: 0 };
  let kept = '';
  let from = 0;
  let depth = 0;
  let count = 0;
  for (const { 0: tag, 1: closes, index } of text.matchAll(TAG)) {
    if (closes === '') {
      if (depth === 0) {
        kept += text.slice(from, index) + opening;
        count += 1;
      }
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) {
        kept += closing;
        from = index + tag.length;
      }
    }
  }
  return { text: depth === 0 ? kept + text.slice(from) : kept, count };
};

/**
 * Cuts what a person marked as private. Tags nest, and one that nobody closes hides all that follows: what is cut in the middle
 * must not show more than what is whole.
 */
export const withoutPrivate = (text: string): WithoutPrivate => cut(text, '', '');

/**
 * Leaves an empty span where a private one stood, for a text of which a part is looked at before it is cut: a prompt that was all
 * private is still one, and a span left open still hides what is added after it.
 */
export const emptyPrivate = (text: string): string => cut(text, '<private>', '</private>').text;
