import { Field, Float, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { upTo } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import { Memory } from '../memories/memory.types.js';

/** What a person says of two memories that contradict each other. */
export const CONFLICT_RESOLUTIONS = ['keep_both', 'keep_first', 'keep_second', 'merge', 'reopen'] as const;
export type ConflictResolution = (typeof CONFLICT_RESOLUTIONS)[number];
export const ConflictResolutionEnum: Readonly<Record<string, ConflictResolution>> = Object.fromEntries(
  CONFLICT_RESOLUTIONS.map((word) => [word.toUpperCase(), word]),
);
registerEnumType(ConflictResolutionEnum, {
  name: 'ConflictResolution',
  valuesMap: {
    KEEP_BOTH: { description: 'Both hold; they are no longer a conflict.' },
    KEEP_FIRST: { description: 'The first takes the place of the second.' },
    KEEP_SECOND: { description: 'The second takes the place of the first.' },
    MERGE: { description: 'The two become one: with the text that is given, else with the newer one.' },
    REOPEN: { description: 'Takes the decision back, a merge too: both stand, and are a conflict.' },
  },
});

@ObjectType()
export class Conflict {
  @Field(() => Memory, { description: 'The one that was there.' })
  first!: Memory;

  @Field(() => Memory, { description: 'The one that came later.' })
  second!: Memory;

  @Field(() => Float)
  similarity!: number;

  @Field(() => [String], { description: 'In what the two differ.', complexity: upTo(11) })
  differences!: string[];

  @Field(() => Date)
  foundAt!: Date;

  @Field(() => ConflictResolutionEnum, { nullable: true, description: 'What was decided; null while it is open.' })
  resolution!: ConflictResolution | null;

  @Field(() => String, { nullable: true })
  reason!: string | null;

  @Field(() => ID, { nullable: true, description: 'What `undo` takes, where the two were merged.' })
  runId!: string | null;
}

@ObjectType()
export class ConflictPage {
  @Field(() => [Conflict])
  nodes!: Conflict[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class ResolveConflictInput {
  @Field(() => ID, { description: 'One of the two memories: a full id or its first eight characters.' })
  first!: string;

  @Field(() => ID)
  second!: string;

  @Field(() => ConflictResolutionEnum)
  resolution!: ConflictResolution;

  @Field(() => String, {
    nullable: true,
    description: 'With MERGE: what the two say as one, up to 64 KiB; without it the newer text stays.',
  })
  text?: string | null;

  @Field(() => String, { nullable: true, description: 'Why, for whoever finds them; up to 500 characters.' })
  reason?: string | null;
}
