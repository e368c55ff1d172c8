import { neutraliseLine } from '@tempera/client-kit';
import type { z } from 'zod';
import type { Column } from '../output/table.js';
import { fetchList, type Listing, printList, readLimit } from './pages.js';
import type { Call } from './verb.js';

/** The option of every list that may be long. */
export const LIMIT_OPTION = ['--limit <n>', 'how many (default 20)'] as const;

/** Reads a list with these variables and prints it. */
export const showList = async <Node extends z.ZodType>(
  { asker, terminal, options }: Call,
  listing: Listing<Node>,
  variables: Readonly<Record<string, unknown>>,
  columns: readonly Column<z.output<Node>>[],
  none: string,
): Promise<void> => {
  const listed = await fetchList(asker, listing, variables, readLimit(options['limit']));
  printList(terminal, listed, columns, none);
};

/** What was done, in one line, with the answer for programs. */
export const showDone = ({ terminal }: Call, what: string, told: string, value: unknown): void =>
  terminal.result([`${terminal.paint('green', what)} ${told}`], value);

/** Facts with their names, one a line. */
export const factLines = (facts: readonly (readonly [name: string, value: string | number | null])[]): string[] => {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${neutraliseLine(String(value ?? '-'), 300)}`);
};

/** A stored name as one harmless line. */
export const named = (text: string): string => neutraliseLine(text, 100);
