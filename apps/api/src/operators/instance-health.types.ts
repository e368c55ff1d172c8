import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import { EncoderStatus } from '../service/service.types.js';

@ObjectType()
export class MigrationHealth {
  @Field(() => Int)
  applied!: number;

  @Field(() => Int, { description: 'What this program was written for.' })
  expected!: number;

  @Field(() => String, { nullable: true })
  latest!: string | null;
}

@ObjectType()
export class WorkerHealth {
  @Field(() => String)
  version!: string;

  @Field(() => Date)
  startedAt!: Date;

  @Field(() => Date)
  beatAt!: Date;

  @Field(() => Boolean, { description: 'It wrote within the last half minute.' })
  alive!: boolean;
}

@ObjectType()
export class TenantCounts {
  @Field(() => Int)
  active!: number;

  @Field(() => Int)
  suspended!: number;

  @Field(() => Int, { description: 'Deleted and not yet erased.' })
  deleted!: number;
}

@ObjectType()
export class InstanceHealth {
  @Field(() => String, { description: 'Of the API that answers.' })
  version!: string;

  @Field(() => MigrationHealth)
  migrations!: MigrationHealth;

  @Field(() => [EncoderStatus], { description: 'Of the API that answers.' })
  encoders!: EncoderStatus[];

  @Field(() => [WorkerHealth], { description: 'Those of the last day, latest sign of life first.' })
  workers!: WorkerHealth[];

  @Field(() => Int, { description: 'Pieces of promised work that wait.' })
  outboxWaiting!: number;

  @Field(() => Float, { description: 'Age of the oldest of them.' })
  outboxLagSeconds!: number;

  @Field(() => TenantCounts)
  tenants!: TenantCounts;

  @Field(() => [String], { description: 'What a person should look at, in words.' })
  problems!: string[];
}
