const FORM = /\[REDACTED:([a-z0-9-]{2,64})\]/g;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** What stands in the place of a secret: it says what kind of one was there. */
export const placeholder = (type: string): string => `[REDACTED:${type}]`;

/**
 * Whether a stretch is nothing but places where secrets were. Only the types that are known count: otherwise a secret could be
 * dressed as a place.
 */
export const isRedacted = (text: string, known: ReadonlySet<string>): boolean =>
  !SAYS_SOMETHING.test(text.replace(FORM, (whole, type: string) => (known.has(type) ? '' : whole)));
