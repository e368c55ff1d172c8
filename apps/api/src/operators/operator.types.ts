import { Field, InputType, ObjectType } from '@nestjs/graphql';
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
