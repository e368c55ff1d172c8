import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { type Column, tableLines } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { wholeOption } from './command.js';

/** Whoever sends operations: a person's login, or an operator's. */
export interface Asker {
  ask<Shape extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    field: string,
    shape: Shape,
    mayRepeat: boolean,
  ): Promise<z.output<Shape>>;
}

/** A list of the service to read: operation, field and the shape of a node. */
export interface Listing<Node extends z.ZodType> {
  readonly query: string;
  readonly field: string;
  readonly node: Node;
}

/** What was read of a list. */
export interface Listed<Node> {
  readonly nodes: readonly Node[];
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean;
}

/** The service's own bound of a page. */
const PAGE_SIZE = 100;
/** Twenty of anything that has lists of its own stay within what a request may cost. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;

/** `--limit` as a number. @throws AppError `invalid-input` */
export const readLimit = (value: unknown): number => {
  const limit = wholeOption('limit', value) ?? DEFAULT_LIMIT;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new AppError('invalid-input', 'limit', `--limit is a whole number from 1 to ${MAX_LIMIT}.`);
};

/** Reads a list page by page, up to `limit` nodes. */
export const fetchList = async <Node extends z.ZodType>(
  asker: Asker,
  { query, field, node }: Listing<Node>,
  variables: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<Listed<z.output<Node>>> => {
  const pageShape = z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  });
  const nodes: z.output<Node>[] = [];
  let after: string | null = null;
  for (;;) {
    const first = Math.min(PAGE_SIZE, limit - nodes.length);
    const page: z.output<typeof pageShape> = await asker.ask(
      query,
      { ...variables, first, after },
      field,
      pageShape,
      true,
    );
    nodes.push(...page.nodes);
    after = page.pageInfo.endCursor;
    const hasMore = page.pageInfo.hasNextPage && after !== null;
    if (!hasMore || nodes.length >= limit) return { nodes, hasMore };
  }
};

/** Prints a list as a table; as JSON, the nodes as they are. */
export const printList = <Node>(
  terminal: Terminal,
  listed: Listed<Node>,
  columns: readonly Column<Node>[],
  none: string,
): void => {
  const { nodes, hasMore } = listed;
  const more = hasMore ? ['There are more: say --limit N.'] : [];
  terminal.result(nodes.length === 0 ? [none] : [...tableLines(columns, nodes, terminal), ...more], { nodes, hasMore });
};
