import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MemoryId, MemoryKind, Scope } from '@tempera/core';
import { upTo } from '../graphql/limits/cost.js';
import { MemoryKindEnum, MemoryScopeEnum } from '../memories/memory.enums.js';

/** Items of one section, and of a start in all. */
export const PER_SECTION = 15;
export const PER_START = 60;

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';
export const SessionSourceEnum = { STARTUP: 'startup', RESUME: 'resume', CLEAR: 'clear', COMPACT: 'compact' } as const;
registerEnumType(SessionSourceEnum, {
  name: 'SessionSource',
  description: 'Why a client begins with an empty context.',
});

@InputType()
export class StartSessionInput {
  @Field(() => String, { description: "The project's slug." })
  project!: string;

  @Field(() => String, { description: "The client's session, up to 200 characters." })
  sessionKey!: string;

  @Field(() => SessionSourceEnum)
  source!: SessionSource;

  @Field(() => String, { nullable: true, description: 'Up to 300 characters.' })
  branch?: string | null;

  @Field(() => [String], { nullable: true, description: 'Up to 50 paths that are being worked on.' })
  files?: string[] | null;
}

@InputType()
export class InjectForPromptInput {
  @Field(() => String, { description: "The project's slug." })
  project!: string;

  @Field(() => String, { description: "The client's session, up to 200 characters." })
  sessionKey!: string;

  @Field(() => String, {
    description: "The client's prompt, up to 200 characters; the same again gets the same answer.",
  })
  promptKey!: string;

  @Field(() => String, { description: 'Up to 8192 bytes in UTF-8.' })
  prompt!: string;

  @Field(() => Int, { defaultValue: 3, description: 'From 1 to 10.' })
  limit!: number;
}

@ObjectType({
  description:
    "A memory that may be put before an agent unasked: the caller's own, a maintainer's pin, or one that somebody other than its author found helpful; and nothing that reads as an order to the agent, or that contradicts another memory.",
})
export class InjectedItem {
  @Field(() => ID)
  id!: MemoryId;

  @Field(() => String, { description: 'One line; the rest is asked for.' })
  title!: string;

  @Field(() => MemoryKindEnum)
  kind!: MemoryKind;

  @Field(() => String, { nullable: true, description: 'Who wrote its present text.' })
  author!: string | null;

  @Field(() => Boolean)
  isOwn!: boolean;

  @Field(() => Date, { description: 'When what it tells ended.' })
  at!: Date;

  @Field(() => MemoryScopeEnum)
  scope!: Scope;
}

const section = upTo(PER_SECTION);

@ObjectType({ description: 'What a session begins with; each memory once, in the first section that it belongs to.' })
export class SessionStart {
  @Field(() => ID, { nullable: true, description: 'Votes on what it shows name it; none where it shows nothing.' })
  retrievalId!: string | null;

  @Field(() => String)
  projectName!: string;

  @Field(() => Date, { nullable: true, description: 'When an earlier session of the caller was here.' })
  lastHereAt!: Date | null;

  @Field(() => [InjectedItem], { complexity: section })
  pinned!: InjectedItem[];

  @Field(() => [InjectedItem], { complexity: section })
  userProfile!: InjectedItem[];

  @Field(() => [InjectedItem], { complexity: section })
  projectProfile!: InjectedItem[];

  @Field(() => [InjectedItem], { complexity: section, description: 'Open ones.' })
  todos!: InjectedItem[];

  @Field(() => [InjectedItem], {
    complexity: section,
    description: 'What others wrote since the caller was last here.',
  })
  changed!: InjectedItem[];

  @Field(() => [InjectedItem], { complexity: section, description: 'What has to do with the branch and the files.' })
  relevant!: InjectedItem[];

  @Field(() => Int, { description: 'What belongs to a section and had no room.' })
  leftOut!: number;
}

@ObjectType()
export class PromptInjection {
  @Field(() => ID, { nullable: true, description: 'Votes on what it shows name it; none where it shows nothing.' })
  retrievalId!: string | null;

  @Field(() => [InjectedItem], {
    complexity: upTo(10),
    description: 'What answers the prompt; nothing that this session was shown already, and often nothing.',
  })
  items!: InjectedItem[];
}
