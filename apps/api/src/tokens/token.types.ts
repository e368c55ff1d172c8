import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { UserId } from '@tempera/core';
import { PageInfo } from '../graphql/paging.js';

@ObjectType()
export class Token {
  userId!: UserId;

  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  prefix!: string;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date)
  expiresAt!: Date;

  @Field(() => Date, { nullable: true })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true })
  revokedAt!: Date | null;
}

@ObjectType()
export class TokenPage {
  @Field(() => [Token])
  nodes!: Token[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class IssueTokenInput {
  @Field(() => String)
  name!: string;

  @Field(() => Int, { defaultValue: 30 })
  expiresInDays!: number;
}

@ObjectType()
export class IssuedToken {
  @Field(() => String, { description: 'The token, shown only now.' })
  secret!: string;

  @Field(() => Token)
  token!: Token;
}
