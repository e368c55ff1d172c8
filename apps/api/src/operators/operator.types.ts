import { Field, ID, InputType, ObjectType } from '@nestjs/graphql';
import { Tenant } from '../tenants/tenant.types.js';
import { Invitation } from '../users/user.types.js';

@ObjectType()
export class OperatorSession {
  @Field(() => String)
  accessToken!: string;

  @Field(() => Date)
  expiresAt!: Date;
}

@InputType()
export class CreateTenantInput {
  @Field(() => String)
  name!: string;

  @Field(() => String, { nullable: true, defaultValue: 'UTC' })
  timeZone?: string | null;

  @Field(() => String)
  ownerName!: string;

  @Field(() => String, { nullable: true })
  ownerEmail?: string | null;
}

@ObjectType()
export class CreatedTenant {
  @Field(() => Tenant)
  tenant!: Tenant;

  @Field(() => Invitation)
  ownerInvitation!: Invitation;
}

@ObjectType()
export class Operator {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { nullable: true })
  disabledAt!: Date | null;
}

@ObjectType()
export class OperatorCode {
  @Field(() => ID)
  operatorId!: string;

  @Field(() => String, { description: 'The one-time code, shown only now.' })
  code!: string;

  @Field(() => Date)
  expiresAt!: Date;
}
