import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'What was taken out of the texts that came in, since it is a secret.' })
export class RemovedSecrets {
  @Field(() => String, { description: 'Its kind, which stands in its place: `[REDACTED:github-pat]`.' })
  type!: string;

  @Field(() => Int)
  count!: number;
}
