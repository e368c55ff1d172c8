import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MemoryId, UserId } from '@tempera/core';
import {
  MAX_NOTES_BYTES,
  MAX_TAGS_BYTES,
  MAX_TEXT_BYTES,
  PROPOSAL_STATES,
  type ProposalState,
} from '@tempera/platform';
import { Audience } from '../audiences/audience.types.js';
import { bytes } from '../graphql/limits/cost.js';
import { PageInfo } from '../graphql/paging.js';
import { Alternative, ErrorResolution } from '../memories/memory.types.js';

export const ProposalStateEnum: Readonly<Record<string, ProposalState>> = Object.fromEntries(
  PROPOSAL_STATES.map((state) => [state.toUpperCase(), state]),
);
registerEnumType(ProposalStateEnum, {
  name: 'ProposalState',
  valuesMap: { STALE: { description: 'The memory or its owner changed before anyone decided.' } },
});

@ObjectType({ description: 'The memory as it was proposed. Those who decide do not see the memory itself yet.' })
export class ProposedContent {
  @Field(() => String)
  title!: string;

  @Field(() => String, { complexity: bytes(MAX_TEXT_BYTES) })
  text!: string;

  @Field(() => [String], { complexity: bytes(MAX_TAGS_BYTES) })
  tags!: readonly string[];

  @Field(() => [String], { complexity: bytes(MAX_NOTES_BYTES) })
  filesModified!: readonly string[];

  @Field(() => [ErrorResolution], { complexity: bytes(MAX_NOTES_BYTES) })
  errorsResolved!: readonly ErrorResolution[];

  @Field(() => [Alternative], { complexity: bytes(MAX_NOTES_BYTES) })
  alternatives!: readonly Alternative[];
}

@ObjectType({ description: 'A memory that its owner asks to share where he may not.' })
export class Proposal {
  readonly proposerId!: UserId;
  readonly deciderId!: UserId | null;

  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  memoryId!: MemoryId;

  @Field(() => Int)
  revision!: number;

  @Field(() => Audience)
  to!: Audience;

  @Field(() => ProposedContent, { nullable: true, description: 'Deleted when the proposal is decided.' })
  content!: ProposedContent | null;

  @Field(() => ProposalStateEnum)
  state!: ProposalState;

  @Field(() => String, { nullable: true })
  reason!: string | null;

  @Field(() => Date, { nullable: true })
  decidedAt!: Date | null;

  @Field(() => Date)
  createdAt!: Date;
}

@ObjectType()
export class ProposalPage {
  @Field(() => [Proposal])
  nodes!: Proposal[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType()
export class ProposalFilter {
  @Field(() => ProposalStateEnum, { nullable: true })
  state?: ProposalState | null;

  @Field(() => String, { nullable: true, description: 'Only those to this project, or to a group through it.' })
  project?: string | null;

  @Field(() => Boolean, { nullable: true })
  mine?: boolean | null;
}
