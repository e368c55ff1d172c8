import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { EncoderChangeStatus } from '@tempera/platform';
import { upTo } from '../graphql/limits/cost.js';

export const EncoderChangeStatusEnum = {
  MEMORIES: 'memories',
  QUESTIONS: 'questions',
  SWITCHING: 'switching',
  LINKING: 'linking',
  KEPT: 'kept',
  DROPPING: 'dropping',
  COMPLETED: 'completed',
  CANCELLING: 'cancelling',
  CANCELLED: 'cancelled',
} as const;
registerEnumType(EncoderChangeStatusEnum, {
  name: 'EncoderChangeStatus',
  description:
    'Where a change of encoder is. Up to SWITCHING searches use the old encoder, from LINKING on the new one.',
  valuesMap: {
    MEMORIES: { description: 'Memories are read by the new encoder, beside their old vectors.' },
    QUESTIONS: { description: 'Questions of votes are read.' },
    SWITCHING: { description: 'Everything is looked at once more; then the new encoder counts.' },
    LINKING: { description: 'Neighbours are drawn anew.' },
    KEPT: { description: 'Old vectors are kept, for a change back.' },
    DROPPING: { description: 'Old vectors are removed.' },
    COMPLETED: { description: 'Nothing is left to do.' },
    CANCELLING: { description: 'New vectors are removed.' },
    CANCELLED: { description: 'As if it had never been.' },
  },
});

/** Encoders of a model folder, and changes that are shown. */
const SHOWN = 50;

@ObjectType({ description: 'An encoder that the answering process has.' })
export class Encoder {
  @Field(() => String, { description: 'Its model, and the first digits of its weights: `name@digest`.' })
  encoder!: string;

  @Field(() => String)
  language!: string;

  @Field(() => Int)
  dimensions!: number;

  @Field(() => Boolean, { description: 'It reads the questions of your tenant.' })
  active!: boolean;

  @Field(() => Boolean)
  ready!: boolean;

  @Field(() => String, { description: 'Why it is not ready.' })
  detail!: string;
}

@ObjectType({ description: 'Numbers over the whole tenant.' })
export class EncoderFigures {
  @Field(() => Int, { description: 'Memories that the old encoder reads.' })
  memories!: number;

  @Field(() => Int, { description: 'Of those, read by the new one already.' })
  done!: number;

  @Field(() => Int, { description: 'Vectors of the old encoder: a long text has several.' })
  parts!: number;

  @Field(() => Int, {
    description: 'Memories that the new encoder could not read: from the switch on their words find them.',
  })
  setAside!: number;

  @Field(() => Int, { description: 'Questions of votes whose words are there.' })
  questions!: number;

  @Field(() => Int)
  questionsDone!: number;

  @Field(() => Int, {
    description: 'Questions whose words are gone: their votes go on counting, but no longer for questions like them.',
  })
  questionsLost!: number;
}

@ObjectType({ description: 'A change of one of the encoders of your tenant.' })
export class EncoderChange {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  fromEncoder!: string;

  @Field(() => String)
  toEncoder!: string;

  @Field(() => EncoderChangeStatusEnum)
  status!: EncoderChangeStatus;

  @Field(() => String, {
    nullable: true,
    description: 'What only an operator can give: `partition` is the index that `npm run tenant:partition` makes.',
  })
  waitsFor!: string | null;

  @Field(() => EncoderFigures, { description: 'Of a change under way as it is, else as it was at the switch.' })
  figures!: EncoderFigures;

  @Field(() => Int, { description: 'For so many days after the switch the old vectors are kept.' })
  keepDays!: number;

  @Field(() => Date)
  requestedAt!: Date;

  @Field(() => Date, { nullable: true })
  switchedAt!: Date | null;

  @Field(() => Date, { nullable: true })
  keepUntil!: Date | null;

  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
}

@ObjectType()
export class Encoders {
  @Field(() => [Encoder], { complexity: upTo(SHOWN) })
  encoders!: Encoder[];

  @Field(() => [EncoderChange], { description: 'Latest first, at most 50.', complexity: upTo(SHOWN) })
  changes!: EncoderChange[];
}

@InputType()
export class ChangeEncoderInput {
  @Field(() => String, { description: 'The encoder to change to, as `encoders` names it.' })
  encoder!: string;

  @Field(() => Int, { defaultValue: 7, description: 'Days for which the old vectors stay after the switch, 0 to 90.' })
  keepDays!: number;
}
