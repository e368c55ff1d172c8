import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'A device that waits to be let in. Compare its code with the one on its screen.' })
export class DeviceLogin {
  @Field(() => String)
  userCode!: string;

  @Field(() => String, { description: 'What the device calls itself; anybody can claim any name.' })
  client!: string;

  @Field(() => String, { description: 'The network address that it asks from.' })
  address!: string;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date)
  expiresAt!: Date;
}
