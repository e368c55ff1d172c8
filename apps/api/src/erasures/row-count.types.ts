import { Field, Int, ObjectType } from '@nestjs/graphql';

/** Tables there are, with room for more. */
export const MAX_TABLES = 100;

@ObjectType()
export class RowCount {
  @Field(() => String, { description: 'A table, and what became of its rows where they did not go.' })
  what!: string;

  @Field(() => Int)
  rows!: number;
}

export const toRowCounts = (counts: Readonly<Record<string, number>>): RowCount[] =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, rows]) => ({ what, rows }));
