import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { MAX_PROFILE_LINES, PROFILE_PARTS, type ProfilePart } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { Memory } from '../memories/memory.types.js';

export const ProfilePartEnum = Object.fromEntries(PROFILE_PARTS.map((part) => [part.toUpperCase(), part]));
registerEnumType(ProfilePartEnum, {
  name: 'ProfilePart',
  valuesMap: { HELPED: { description: 'Of a project: what people found helpful that others wrote.' } },
});

@ObjectType()
export class ProfileLine {
  @Field(() => ProfilePartEnum)
  part!: ProfilePart;

  @Field(() => Memory, { description: 'What tells it.' })
  memory!: Memory;

  @Field(() => String, { description: 'What it tells, shortened.' })
  text!: string;

  @Field(() => Int, { description: 'Whole days since it ended, or was last written.' })
  ageDays!: number;
}

@ObjectType({ description: 'What is worth knowing about the caller, or about a project, before anything is asked.' })
export class Profile {
  @Field(() => String, { nullable: true, description: "The project's slug; null: it is of the caller." })
  project!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was chosen; null: never so far.' })
  refreshedAt!: Date | null;

  @Field(() => [ProfileLine], {
    complexity: upTo(MAX_PROFILE_LINES),
    description: 'By part; what was erased, retired or hidden since is not among them.',
  })
  lines!: ProfileLine[];
}
