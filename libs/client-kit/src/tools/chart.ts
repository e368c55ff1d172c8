import { cutText } from '../untrusted-text.js';

/** What a drawing may be made of: block elements, or plain ASCII where those would be no pictures. */
export interface Glyphs {
  readonly hasUnicode: boolean;
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const LEVELS = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.-=+*#@' };
const GAP = { unicode: '·', ascii: '.' };

const part = (value: number, top: number): number => (top <= 0 ? 0 : Math.min(1, Math.max(0, value / top)));

/** A bar as wide as its share of `top`; what is there at all leaves a mark. A gap is a dot, which a zero is not. */
export const bar = (value: number | null, top: number, width: number, { hasUnicode }: Glyphs): string => {
  if (value === null) return hasUnicode ? GAP.unicode : GAP.ascii;
  if (value <= 0) return '';
  if (!hasUnicode) return '#'.repeat(Math.max(1, Math.round(part(value, top) * width)));
  const eighths = Math.max(1, Math.round(part(value, top) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
};

/** One character a value, from nothing to `top`. */
export const sparkline = (values: readonly (number | null)[], top: number, { hasUnicode }: Glyphs): string => {
  const levels = [...(hasUnicode ? LEVELS.unicode : LEVELS.ascii)];
  return values
    .map((value) => {
      if (value === null) return hasUnicode ? GAP.unicode : GAP.ascii;
      return levels[Math.round(part(value, top) * (levels.length - 1))] ?? '';
    })
    .join('');
};

const widthOf = (text: string): number => [...text].length;
const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** One column of bars: its name, its values, and how a value is written. */
export interface BarColumn {
  readonly heading: string;
  readonly values: readonly (number | null)[];
  readonly write: (value: number) => string;
  /** Where the axis ends; else at the largest value. */
  readonly top?: number;
}

const BAR_WIDTH = 10;

const cellsOf = ({ heading, values, write, top }: BarColumn, glyphs: Glyphs): string[] => {
  const most = top ?? Math.max(0, ...values.map((value) => value ?? 0));
  const texts = values.map((value) => (value === null ? '-' : write(value)));
  const width = Math.max(0, ...texts.map(widthOf));
  const axis = `${heading}, ${write(0)}..${write(most)}`;
  const cells = texts.map((text, row) =>
    `${text.padStart(width)} ${bar(values[row] ?? null, most, BAR_WIDTH, glyphs)}`.trimEnd(),
  );
  return [axis, ...cells];
};

/** Rows with a label and a bar for each column; every column says what its axis reaches from and to. */
export const barTable = (
  labelHeading: string,
  labels: readonly string[],
  columns: readonly BarColumn[],
  glyphs: Glyphs,
): string[] => {
  const table = [
    [labelHeading, ...labels.map((label) => cutText(label, 30))],
    ...columns.map((column) => cellsOf(column, glyphs)),
  ];
  const widths = table.map((cells) => Math.max(...cells.map(widthOf)));
  return [labelHeading, ...labels].map((_label, row) =>
    table
      .map((cells, column) => padEnd(cells[row] ?? '', widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
