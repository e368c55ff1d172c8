import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { UserId } from '@tempera/core';
import type { TokenScope } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';

export const TokenScopeEnum = { READ: 'read', WRITE: 'write', ADMIN: 'admin' } as const;
registerEnumType(TokenScopeEnum, {
  name: 'TokenScope',
  description: "What a machine's token may do; the role of the person who issued it bounds it besides.",
  valuesMap: {
    READ: { description: 'Ask and list.' },
    WRITE: { description: 'Capture, edit and vote.' },
    ADMIN: { description: 'Administer projects, people and runs, as far as the role goes.' },
  },
});

@ObjectType()
export class Token {
  userId!: UserId;

  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  prefix!: string;

  @Field(() => [TokenScopeEnum])
  scopes!: TokenScope[];

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

  @Field(() => [TokenScopeEnum], { defaultValue: ['read', 'write'] })
  scopes!: TokenScope[];
}

@ObjectType()
export class IssuedToken {
  @Field(() => String, { description: 'The token, shown only now.' })
  secret!: string;

  @Field(() => Token)
  token!: Token;
}
