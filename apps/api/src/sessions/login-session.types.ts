import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { UserId } from '@tempera/core';
import type { SessionKind } from '@tempera/platform';
import { PageInfo } from '../graphql/paging.js';

export const SessionKindEnum = { LOGIN: 'login', TOKEN: 'token', BROWSER: 'browser' } as const;
registerEnumType(SessionKindEnum, {
  name: 'SessionKind',
  valuesMap: {
    LOGIN: { description: 'A person logged in on a device.' },
    TOKEN: { description: 'A machine, with a personal access token.' },
    BROWSER: { description: 'A person on a page of this service, for a quarter of an hour.' },
  },
});

@ObjectType({ description: 'One login of a person, or of a machine of theirs; it holds no secret.' })
export class LoginSession {
  userId!: UserId;

  @Field(() => ID)
  id!: string;

  @Field(() => SessionKindEnum)
  kind!: SessionKind;

  @Field(() => String, { description: 'The name that the device gave itself, or that the token was given.' })
  client!: string;

  @Field(() => Boolean, { description: 'Whether this very request belongs to it.' })
  current!: boolean;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { description: 'To the minute.' })
  lastUsedAt!: Date;

  @Field(() => Date)
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Null while it lives.' })
  endedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'How it ended: logged out, expired, …' })
  ended!: string | null;
}

@ObjectType()
export class LoginSessionPage {
  @Field(() => [LoginSession])
  nodes!: LoginSession[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
