import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import type { MemoryId } from '@tempera/core';

@ObjectType({ description: 'How useful a memory has proved, 0..1, with what it is made of.' })
export class Utility {
  @Field(() => Float, { description: 'u = value·fade, shown in lists.' })
  utility!: number;

  @Field(() => Float)
  evidence!: number;

  @Field(() => Float)
  helpfulWeight!: number;

  @Field(() => Float)
  unhelpfulWeight!: number;

  @Field(() => Boolean, { description: 'Somebody found helpful what it says now.' })
  foundHelpful!: boolean;

  @Field(() => Int, { nullable: true, description: 'From three people on the number, else null: someone.' })
  helpfulPeople!: number | null;

  @Field(() => Float)
  credit!: number;

  @Field(() => Float, { description: 'What related memories lend.' })
  lent!: number;

  @Field(() => ID, { nullable: true, description: 'The memory that lends most, when the caller may see it.' })
  lentFrom!: MemoryId | null;

  @Field(() => Float)
  fade!: number;

  @Field(() => Int)
  retrievals!: number;
}
