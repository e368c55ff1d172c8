import { Field, ID, ObjectType } from '@nestjs/graphql';
import type { UserId } from '@tempera/core';
import { PageInfo } from '../graphql/paging.js';

@ObjectType({
  description: 'A sign-in of another provider that is linked with a person: issuer and subject, no address.',
})
export class LoginIdentity {
  userId!: UserId;

  @Field(() => ID)
  id!: string;

  @Field(() => String)
  issuer!: string;

  @Field(() => String)
  subject!: string;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { nullable: true })
  lastUsedAt!: Date | null;
}

@ObjectType()
export class LoginIdentityPage {
  @Field(() => [LoginIdentity])
  nodes!: LoginIdentity[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@ObjectType()
export class UnlinkedIdentity {
  @Field(() => ID)
  id!: string;
}
