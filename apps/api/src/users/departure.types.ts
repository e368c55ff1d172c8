import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { DepartureChoice } from '@tempera/platform';
import { User } from './user.types.js';

export const SharedMemoriesEnum = { KEEP: 'keep', TRANSFER: 'transfer', ARCHIVE: 'archive' } as const;
registerEnumType(SharedMemoriesEnum, {
  name: 'SharedMemories',
  description: "What becomes of a leaver's shared memories.",
  valuesMap: {
    KEEP: { description: "They stay, with the leaver's name." },
    TRANSFER: {
      description:
        'They become those of `transferTo`, where that person could have captured them; the others stay, as with KEEP.',
    },
    ARCHIVE: { description: 'They are archived, and can be restored by a maintainer.' },
  },
});

@InputType()
export class RemoveUserInput {
  @Field(() => ID)
  userId!: string;

  @Field(() => SharedMemoriesEnum)
  sharedMemories!: DepartureChoice;

  @Field(() => ID, { nullable: true, description: 'With TRANSFER: an active person of the tenant.' })
  transferTo?: string | null;
}

@ObjectType()
export class Departure {
  @Field(() => User)
  user!: User;

  @Field(() => SharedMemoriesEnum)
  sharedMemories!: DepartureChoice;

  @Field(() => Boolean, { description: 'All shared memories are settled; else the worker goes on.' })
  finished!: boolean;

  @Field(() => Int, { description: "Shared memories that bear the leaver's name still." })
  underTheirName!: number;

  @Field(() => Int, { description: 'Sessions that ended.' })
  sessionsEnded!: number;
}
