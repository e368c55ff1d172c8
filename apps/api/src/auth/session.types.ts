import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Tenant } from '../tenants/tenant.types.js';
import { User } from '../users/user.types.js';

@InputType()
export class LoginInput {
  @Field(() => String)
  code!: string;

  @Field(() => String, {
    defaultValue: '',
    description: 'A name for the device, shown in the list of sessions.',
  })
  client!: string;
}

@InputType()
export class RefreshInput {
  @Field(() => String)
  refreshToken!: string;
}

@ObjectType()
export class Session {
  @Field(() => String)
  accessToken!: string;

  @Field(() => Date)
  accessExpiresAt!: Date;

  @Field(() => String)
  refreshToken!: string;

  @Field(() => Date)
  refreshExpiresAt!: Date;

  @Field(() => User)
  user!: User;

  @Field(() => Tenant)
  tenant!: Tenant;
}

@ObjectType()
export class AccessGrant {
  @Field(() => String)
  accessToken!: string;

  @Field(() => Date)
  accessExpiresAt!: Date;
}

@ObjectType()
export class LoggedOut {
  @Field(() => Int)
  sessionsEnded!: number;
}
