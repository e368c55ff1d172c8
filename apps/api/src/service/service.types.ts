import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class EncoderStatus {
  @Field(() => String)
  name!: string;

  @Field(() => Boolean)
  ready!: boolean;

  @Field(() => String)
  detail!: string;
}

@ObjectType()
export class Service {
  @Field(() => String)
  version!: string;

  @Field(() => [EncoderStatus])
  encoders!: EncoderStatus[];

  @Field(() => Int)
  maxTextBytes!: number;

  @Field(() => Int)
  maxPageSize!: number;
}
