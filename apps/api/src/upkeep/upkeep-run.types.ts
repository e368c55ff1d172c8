import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { GroupId, UserId } from '@tempera/core';
import type { UpkeepKind } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';

export const UpkeepKindEnum = {
  CONSOLIDATE: 'consolidate',
  CLEANUP: 'cleanup',
  MERGE: 'merge',
} as const satisfies Record<string, UpkeepKind>;
registerEnumType(UpkeepKindEnum, {
  name: 'UpkeepKind',
  valuesMap: { MERGE: { description: 'Memories that somebody chose.' } },
});

@ObjectType({ description: 'A merge or a cleanup that the caller may take back, or that was taken back.' })
export class UpkeepRun {
  @Field(() => ID, { description: 'What `undo` takes.' })
  id!: string;

  @Field(() => UpkeepKindEnum)
  kind!: UpkeepKind;

  @Field(() => String, { nullable: true, description: "The project's slug, of what a project shares." })
  project!: string | null;

  @Field(() => ID, { nullable: true, description: 'Of what a group shares.' })
  groupId!: GroupId | null;

  @Field(() => ID, { nullable: true, description: 'Who did it, or whose private memories a night did it to.' })
  madeBy!: UserId | null;

  @Field(() => ID, { nullable: true, description: 'The night that did it; null where a person did.' })
  maintenanceRunId!: string | null;

  @Field(() => Int, { description: 'Memories that became part of others, of those that the caller sees.' })
  merged!: number;

  @Field(() => Int, { description: 'Memories that were archived, of those that the caller sees.' })
  pruned!: number;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { nullable: true })
  undoneAt!: Date | null;
}

@ObjectType()
export class UpkeepRunPage {
  @Field(() => [UpkeepRun])
  nodes!: UpkeepRun[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
