import { Field, Int, ObjectType } from '@nestjs/graphql';
import { upTo } from '../graphql/limits/cost.js';

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

  @Field(() => [EncoderStatus], { complexity: upTo(4) })
  encoders!: EncoderStatus[];

  @Field(() => Int)
  maxTextBytes!: number;

  @Field(() => Int)
  maxPageSize!: number;
}
