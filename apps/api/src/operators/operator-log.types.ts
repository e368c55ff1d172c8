import { Field, ID, ObjectType } from '@nestjs/graphql';
import { PageInfo } from '../graphql/paging.js';

@ObjectType({ description: 'One thing an operator did; ids and names of fields, never contents.' })
export class OperatorLogEntry {
  @Field(() => String)
  seq!: string;

  @Field(() => Date)
  at!: Date;

  @Field(() => ID, { nullable: true, description: 'None: the bootstrap command, or the worker that erases a tenant.' })
  operatorId!: string | null;

  @Field(() => String)
  action!: string;

  @Field(() => String)
  subjectKind!: string;

  @Field(() => ID, { nullable: true })
  subjectId!: string | null;

  @Field(() => String, { description: 'JSON.' })
  details!: string;

  @Field(() => String, { description: 'SHA-256 in hex, over this entry and the hash of the one before.' })
  hash!: string;
}

@ObjectType()
export class OperatorLogPage {
  @Field(() => [OperatorLogEntry])
  nodes!: OperatorLogEntry[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
