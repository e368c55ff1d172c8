import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';

export enum DoctorVerdict {
  OK = 'OK',
  /** Works, and a person should look. */
  WARNING = 'WARNING',
  /** Something does not work. */
  FAILURE = 'FAILURE',
}
registerEnumType(DoctorVerdict, { name: 'DoctorVerdict', description: 'WARNING: it works, and a person should look.' });

@ObjectType({ description: 'One thing that was looked at: words, numbers and opaque ids, never contents.' })
export class DoctorFinding {
  @Field(() => String)
  name!: string;

  @Field(() => DoctorVerdict)
  verdict!: DoctorVerdict;

  @Field(() => String)
  detail!: string;

  @Field(() => String, { nullable: true, description: 'What to do, where something is wrong.' })
  advice!: string | null;
}
