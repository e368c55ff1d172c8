import { Inject, Injectable } from '@nestjs/common';
import { Field, ObjectType } from '@nestjs/graphql';
import { AppError } from '@tempera/client-kit';
import { derivedKeys, type KeyRing } from '@tempera/platform';
import { KEYS } from '../platform/platform.tokens.js';
import { decodeCursor, encodeCursor, type PageBound, type Position } from './cursor.js';

export const MAX_PAGE_SIZE = 100;

@ObjectType()
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

/** Arguments of every list. */
export interface PageArgs {
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** A checked request for a page. Read `take` rows after `after`: one more than the page, to know whether more follow. */
export interface PageRequest {
  readonly first: number;
  readonly take: number;
  readonly after: Position | null;
  readonly bound: PageBound;
}

export interface Page<T> {
  readonly nodes: T[];
  readonly pageInfo: PageInfo;
}

/** Keyset pages with opaque cursors: stable while rows come and go, and a page costs the same wherever it lies. */
@Injectable()
export class Paging {
  /** Of every key of the ring, the current first: a page may end under one key and go on under the next. */
  private readonly keys: () => readonly Uint8Array[];

  constructor(@Inject(KEYS) ring: KeyRing) {
    this.keys = ring.view((set) => derivedKeys(set, 'cursor'));
  }

  /** @throws AppError `invalid-input` for a size out of 1..100 or a cursor that was not made for this very list */
  request({ first, after }: PageArgs, bound: PageBound): PageRequest {
    if (!Number.isInteger(first) || first < 1 || first > MAX_PAGE_SIZE) {
      throw new AppError('invalid-input', 'page-size', `\`first\` is a whole number from 1 to ${MAX_PAGE_SIZE}.`);
    }
    const position = after === undefined || after === null ? null : decodeCursor(this.keys(), after, bound);
    return { first, take: first + 1, after: position, bound };
  }

  /** Makes the page of the rows that were read for `request`, in their order. */
  pageOf<T>(rows: readonly T[], { first, bound }: PageRequest, positionOf: (row: T) => Position): Page<T> {
    const nodes = rows.slice(0, first);
    const last = nodes.at(-1);
    const endCursor = last === undefined ? null : encodeCursor(this.keys(), positionOf(last), bound);
    return { nodes, pageInfo: { hasNextPage: rows.length > first, endCursor } };
  }
}
