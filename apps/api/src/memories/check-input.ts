import { AppError, isVisible } from '@tempera/client-kit';

// What no database stores (NUL, half a character) is refused for all texts of a request at once: graphql/limits/text-rule.

/** What a text of a caller may be. Lengths count characters as people do (code points). */
interface TextBounds {
  readonly name: string;
  readonly max: number;
  readonly oneLine?: boolean;
}

/** Refuses an argument. @param message one sentence that names it and says how to write it */
export const refuse = (code: string, message: string): AppError => new AppError('invalid-input', code, message);

const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/;

/** @returns the text without the space around it. @throws AppError `invalid-input` for anything but a text in its bounds */
export const checkText = (value: string, { name, max, oneLine = false }: TextBounds): string => {
  const text = value.trim();
  if (!isVisible(text)) throw refuse('text-empty', `\`${name}\` is empty.`);
  if (oneLine && LINE_BREAK.test(text)) throw refuse('text-lines', `\`${name}\` must be one line.`);
  if ([...text].length > max) throw refuse('text-too-long', `\`${name}\` may have ${max} characters.`);
  return text;
};

/** As {@link checkText}, with nothing where nothing was said. */
export const checkOptionalText = (value: string | null | undefined, bounds: TextBounds): string | null =>
  value === undefined || value === null ? null : checkText(value, bounds);

/** A text bounded by its bytes in UTF-8; stored as it is, with its space. */
export const checkBytes = (value: string, name: string, maxBytes: number): string => {
  if (!isVisible(value)) throw refuse('text-empty', `\`${name}\` is empty.`);
  const bytes = Buffer.byteLength(value);
  if (bytes > maxBytes) {
    throw refuse('text-too-long', `\`${name}\` may have ${maxBytes} bytes in UTF-8; this one has ${bytes}.`);
  }
  return value;
};

/** As {@link checkList}, for a filter: an empty list asks for nothing, as programs write what they may leave out. */
export const checkFilter = (
  values: readonly string[] | null | undefined,
  bounds: TextBounds & { readonly maxItems: number },
): string[] | undefined => (hasItems(values) ? checkList(values, bounds) : undefined);

/** Whether a list narrows anything. */
export const hasItems = <Item>(list: readonly Item[] | null | undefined): list is readonly Item[] =>
  list !== null && list !== undefined && list.length > 0;

/** A list of short texts: bounded, each checked, without repetitions. */
export const checkList = (values: readonly string[], bounds: TextBounds & { readonly maxItems: number }): string[] => {
  checkCount(values, bounds.name, bounds.maxItems);
  return [...new Set(values.map((value) => checkText(value, { ...bounds, oneLine: true })))];
};

export const checkCount = (values: readonly unknown[], name: string, maxItems: number): void => {
  if (values.length > maxItems) throw refuse('list-too-long', `\`${name}\` may have ${maxItems} items.`);
};
