/** A piece of HTML that needs no more escaping. */
export class Markup {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const render = (value: unknown): string => {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || value === false) return '';
  return escape(String(value));
};

/**
 * HTML from a template: every value is escaped unless it is markup itself; lists are joined, and null is nothing.
 * Not called html: formatters then move its line breaks, and what a content policy allows by its hash would change.
 */
export const markup = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(parts.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''));

/** A field of a form that nobody sees. */
export const hidden = (name: string, value: string): Markup =>
  markup`<input type="hidden" name="${name}" value="${value}">`;
