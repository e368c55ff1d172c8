import { neutraliseLine } from '@tempera/client-kit';
import type { Terminal } from './terminal.js';

/** One column: its heading, and what stands in a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string | number | null;
}

const MAX_CELL_CHARS = 80;
const GAP = '  ';
/** East Asian wide characters and emoji take two places at a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;

const widthOf = (text: string): number => [...text].length + (text.match(WIDE)?.length ?? 0);
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/**
 * Rows under headings, each column as wide as its widest cell. Cells may be stored text of anyone, so each is made one
 * harmless line; `null` is shown as a dash.
 */
export const tableLines = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  terminal: Pick<Terminal, 'paint'>,
): string[] => {
  const texts = rows.map((row) =>
    columns.map(({ cell }) => neutraliseLine(String(cell(row) ?? '-'), MAX_CELL_CHARS) || '-'),
  );
  const widths = columns.map(({ heading }, column) =>
    Math.max(widthOf(heading), ...texts.map((cells) => widthOf(cells[column] ?? ''))),
  );
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd();
  return [terminal.paint('bold', lineOf(columns.map(({ heading }) => heading.toUpperCase()))), ...texts.map(lineOf)];
};

/** A moment of the service to the minute, in UTC. */
export const minuteText = (moment: string | null): string | null =>
  moment === null ? null : `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')}Z`;
