import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import { countedAbove } from '../graphql/limits/cost.js';
import { RemovedSecrets } from '../redaction/removed.types.js';

@InputType({ description: 'What a tool was used for in a turn; each text is cut to 1,000 characters.' })
export class TurnToolInput {
  @Field(() => String)
  name!: string;

  @Field(() => String, { nullable: true })
  file?: string | null;

  @Field(() => String, { nullable: true })
  command?: string | null;

  @Field(() => String, { nullable: true, description: 'Its first 500 characters.' })
  error?: string | null;

  @Field(() => String, { nullable: true })
  resolution?: string | null;
}

@InputType()
export class TurnInput {
  @Field(() => String, {
    description: 'Made by the client once: the same key again changes nothing. Up to 200 characters.',
  })
  key!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The slug of the project it was about; none: it belongs to none. Where the caller only reads, or it is archived, it is kept without.',
  })
  project?: string | null;

  @Field(() => String, { description: "The client's session, up to 200 characters." })
  sessionKey!: string;

  @Field(() => String, {
    description:
      "The client's prompt, up to 200 characters: one of a session is one turn, and a version with more in it takes the place of the one before.",
  })
  promptKey!: string;

  @Field(() => Date, { description: 'When it ended.' })
  at!: Date;

  @Field(() => String, { description: 'Up to 65536 bytes in UTF-8.' })
  prompt!: string;

  @Field(() => String, { description: 'Up to 65536 bytes in UTF-8.' })
  answer!: string;

  @Field(() => [TurnToolInput], { description: 'Up to 100.' })
  tools!: TurnToolInput[];

  @Field(() => String, { nullable: true })
  branch?: string | null;

  @Field(() => String, { description: 'The program that tells it, such as `claude-code`; up to 100 characters.' })
  client!: string;

  @Field(() => Boolean, { nullable: true, description: 'It was taken from a transcript afterwards.' })
  isBackfill?: boolean | null;
}

@InputType()
export class KeepTurnsInput {
  @Field(() => [TurnInput], { description: 'From 1 to 50, in order.' })
  turns!: TurnInput[];
}

@ObjectType()
export class KeptTurn {
  @Field(() => ID)
  key!: string;

  @Field(() => Boolean, { description: 'No: the turn was known, though perhaps with less in it.' })
  isNew!: boolean;

  @Field(() => ID, { description: 'The turns of its session that were about the same project.' })
  conversationId!: string;

  @Field(() => [RemovedSecrets], {
    complexity: countedAbove,
    description: 'Secrets that were taken out before anything was kept.',
  })
  redactions!: RemovedSecrets[];
}

@ObjectType()
export class RefusedTurn {
  @Field(() => ID)
  key!: string;

  @Field(() => String)
  code!: string;

  @Field(() => String)
  message!: string;
}

@ObjectType()
export class KeptTurns {
  @Field(() => [KeptTurn], { complexity: countedAbove })
  kept!: KeptTurn[];

  @Field(() => [RefusedTurn], {
    complexity: countedAbove,
    description: 'What will never be kept as it is; sent again it is refused again.',
  })
  refused!: RefusedTurn[];
}
