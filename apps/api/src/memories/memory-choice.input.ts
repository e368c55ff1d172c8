import { Field, InputType } from '@nestjs/graphql';
import type { MemoryKind, Scope } from '@tempera/core';
import { MemoryKindEnum, MemoryScopeEnum } from './memory.enums.js';

/** Which memories are meant, for a list of them and for an answer alike. */
@InputType({ isAbstract: true })
export abstract class MemoryChoice {
  @Field(() => String, { nullable: true })
  project?: string | null;

  @Field(() => String, { nullable: true, description: "A group's slug: only what it shares." })
  group?: string | null;

  @Field(() => MemoryScopeEnum, { nullable: true })
  scope?: Scope | null;

  @Field(() => [MemoryKindEnum], { nullable: true })
  kinds?: MemoryKind[] | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;

  @Field(() => [String], { nullable: true })
  files?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'True: only what was refuted, which is left out otherwise.' })
  refuted?: boolean | null;

  @Field(() => Date, { nullable: true })
  since?: Date | null;

  @Field(() => Date, { nullable: true })
  until?: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'What was known and valid at this moment, in the words of then.',
  })
  asOf?: Date | null;
}
