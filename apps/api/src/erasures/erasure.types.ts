import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ErasureChoice, ErasureStatus } from '@tempera/platform';
import { upTo } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import { RunStatusEnum } from '../maintenance/maintenance.types.js';
import { MAX_TABLES, RowCount } from './row-count.types.js';

export const ErasedMemoriesEnum = { KEEP: 'keep', TRANSFER: 'transfer', ERASE: 'erase' } as const;
registerEnumType(ErasedMemoriesEnum, {
  name: 'ErasedMemories',
  description: 'What becomes of what an erased person shared.',
  valuesMap: {
    KEEP: { description: 'It stays, as of a former member: nobody can tell whose it was.' },
    TRANSFER: {
      description:
        'It becomes that of `transferTo`, where that person could have captured it; the rest stays, as with KEEP.',
    },
    ERASE: { description: 'It is erased too.' },
  },
});

@InputType()
export class EraseUserInput {
  @Field(() => ID, { description: 'A person of the tenant, or whoever has been removed; or oneself.' })
  userId!: string;

  @Field(() => String, { description: 'Their name to the letter, as a confirmation.' })
  confirmName!: string;

  @Field(() => ErasedMemoriesEnum)
  sharedMemories!: ErasureChoice;

  @Field(() => ID, { nullable: true, description: 'With TRANSFER: an active person of the tenant.' })
  transferTo?: string | null;
}

const TABLES = upTo(MAX_TABLES);

@ObjectType({ description: 'The erasure of a person; completed, it is the receipt: ids and numbers, no contents.' })
export class Erasure {
  @Field(() => ID)
  id!: string;

  @Field(() => ID, { description: 'Whose.' })
  userId!: string;

  @Field(() => ID, { description: 'By whom it was asked for.' })
  requestedBy!: string;

  @Field(() => ErasedMemoriesEnum)
  sharedMemories!: ErasureChoice;

  @Field(() => ID, { nullable: true })
  transferTo!: string | null;

  @Field(() => RunStatusEnum, { description: 'FAILED: traces are left; asked again, it is tried again.' })
  status!: ErasureStatus;

  @Field(() => [RowCount], { description: 'Rows that went or lost the name.', complexity: TABLES })
  counts!: RowCount[];

  @Field(() => String, { description: 'Exclusive or of a 64-bit hash of the id of each memory that went.' })
  memorySum!: string;

  @Field(() => Int, { description: 'Columns of all tables that were searched for what is left.' })
  searchedColumns!: number;

  @Field(() => [RowCount], { description: 'Rows that name the person still; none once completed.', complexity: TABLES })
  traces!: RowCount[];

  @Field(() => [RowCount], {
    description: 'Rows in which others wrote the address or id of the person in words of their own; they stay.',
    complexity: TABLES,
  })
  mentions!: RowCount[];

  @Field(() => Date)
  requestedAt!: Date;

  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
}

@ObjectType()
export class ErasurePage {
  @Field(() => [Erasure])
  nodes!: Erasure[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
