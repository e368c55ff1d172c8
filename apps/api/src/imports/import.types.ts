import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MemoryState } from '@tempera/platform';
import { countedAbove } from '../graphql/limits/cost.js';
import { CaptureInput } from '../memories/capture.input.js';
import { MemoryStateEnum } from '../memories/memory.enums.js';

export type ImportStatus = 'kept' | 'merged' | 'known' | 'refused';
export const ImportStatusEnum = { KEPT: 'kept', MERGED: 'merged', KNOWN: 'known', REFUSED: 'refused' } as const;
registerEnumType(ImportStatusEnum, {
  name: 'ImportStatus',
  valuesMap: {
    KEPT: { description: 'A new memory.' },
    MERGED: { description: 'It says what the caller had captured already.' },
    KNOWN: { description: 'It was imported before and says the same; nothing was done.' },
    REFUSED: { description: 'See `code` and `message`.' },
  },
});

@InputType()
export class ImportItemInput {
  @Field(() => String, { description: 'What it is called where it comes from, up to 200 characters.' })
  sourceId!: string;

  @Field(() => CaptureInput, { description: 'As a capture; `source` and `idempotencyKey` are set by the import.' })
  memory!: CaptureInput;

  @Field(() => MemoryStateEnum, { defaultValue: 'active' })
  state!: MemoryState;

  @Field(() => String, { nullable: true, description: 'Why it was archived or refuted.' })
  stateReason?: string | null;

  @Field(() => [String], {
    defaultValue: [],
    description: 'Source ids of what gave way to it; those that were imported give way here too.',
  })
  supersedes!: string[];

  @Field(() => String, { nullable: true, description: 'The source id of what took its place.' })
  supersededBy?: string | null;
}

@InputType()
export class ImportInput {
  @Field(() => String, { description: 'The product that it comes from, such as `claude-mem`; up to 100 characters.' })
  origin!: string;

  @Field(() => [ImportItemInput])
  items!: ImportItemInput[];

  @Field(() => Boolean, { defaultValue: false, description: 'Else a dry run: it says what would be done.' })
  execute!: boolean;
}

@ObjectType()
export class ImportedItem {
  @Field(() => String)
  sourceId!: string;

  @Field(() => ImportStatusEnum)
  status!: ImportStatus;

  @Field(() => ID, { nullable: true, description: 'The memory; of a dry run only where it was there before.' })
  memoryId!: string | null;

  @Field(() => String, { nullable: true })
  code!: string | null;

  @Field(() => String, { nullable: true })
  message!: string | null;

  @Field(() => [String], { description: 'What of it could not be carried.', complexity: countedAbove })
  notes!: string[];
}

@ObjectType()
export class ImportReport {
  @Field(() => [ImportedItem], { description: 'In the order of the items.', complexity: countedAbove })
  items!: ImportedItem[];

  @Field(() => Int)
  kept!: number;

  @Field(() => Int)
  merged!: number;

  @Field(() => Int)
  known!: number;

  @Field(() => Int)
  refused!: number;
}
