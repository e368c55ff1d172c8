import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { ChainFault } from '@tempera/platform';

export const ChainFaultEnum = { GAP: 'gap', LINK: 'link', CONTENT: 'content', HEAD: 'head' } as const;
registerEnumType(ChainFaultEnum, {
  name: 'ChainFault',
  valuesMap: {
    GAP: { description: 'Rows before this one are missing, or it stands in another place.' },
    LINK: { description: 'It names another row before it than the one that is there.' },
    CONTENT: { description: 'It was changed: its hash does not fit what it says.' },
    HEAD: { description: 'The head that was kept elsewhere is not in the chain: it was cut off or replaced.' },
  },
});

@ObjectType({
  description: 'What a check of a hash chain found. A tail that was cut off shows only against a head kept elsewhere.',
})
export class ChainVerdict {
  @Field(() => Boolean, { description: 'Nothing is wrong with the rows that were checked.' })
  intact!: boolean;

  @Field(() => Boolean, { description: 'The end was reached; else go on with `after: endCursor`.' })
  complete!: boolean;

  @Field(() => Int, { description: 'Rows checked by this request.' })
  checked!: number;

  @Field(() => String, { nullable: true, description: 'The first bad row.' })
  firstBadSeq!: string | null;

  @Field(() => ChainFaultEnum, { nullable: true })
  fault!: ChainFault | 'head' | null;

  @Field(() => String, { nullable: true, description: 'The last row checked: keep it with its hash, elsewhere.' })
  headSeq!: string | null;

  @Field(() => String, { nullable: true, description: 'SHA-256 in hex.' })
  headHash!: string | null;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}
