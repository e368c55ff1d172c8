import { Field, InputType, Int } from '@nestjs/graphql';
import type { MemoryKind, RetrievalKind, Scope } from '@tempera/core';
import { MemoryKindEnum, MemoryScopeEnum } from '../memories/memory.enums.js';
import { RetrievalKindEnum } from './retrieval.enums.js';

@InputType()
export class RetrieveInput {
  @Field(() => String)
  query!: string;

  @Field(() => Int, { defaultValue: 5 })
  limit!: number;

  @Field(() => String, { nullable: true })
  project?: string | null;

  @Field(() => MemoryScopeEnum, { nullable: true })
  scope?: Scope | null;

  @Field(() => [MemoryKindEnum], { nullable: true })
  kinds?: MemoryKind[] | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;

  @Field(() => [String], { nullable: true })
  files?: string[] | null;

  @Field(() => Date, { nullable: true })
  since?: Date | null;

  @Field(() => Date, { nullable: true })
  until?: Date | null;

  @Field(() => RetrievalKindEnum, { defaultValue: 'asked' })
  kind!: RetrievalKind;
}
