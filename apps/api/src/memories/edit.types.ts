import { Field, ObjectType } from '@nestjs/graphql';
import { upTo } from '../graphql/limits/cost.js';
import { CLOSE_SHOWN, NearMemory } from './capture.types.js';
import { RemovedSecrets } from '../redaction/removed.types.js';
import { Memory } from './memory.types.js';

@ObjectType()
export class EditedMemory {
  @Field(() => Memory)
  memory!: Memory;

  @Field(() => [String], { description: 'The names of what changed; none where it said all that already.' })
  changed!: string[];

  @Field(() => [NearMemory], {
    description: 'Other memories that say nearly the same as the new text, the nearest ten.',
    complexity: upTo(CLOSE_SHOWN),
  })
  near!: NearMemory[];

  @Field(() => [NearMemory], { complexity: upTo(CLOSE_SHOWN) })
  conflicts!: NearMemory[];

  @Field(() => [NearMemory], { description: 'What gave way to it.', complexity: upTo(CLOSE_SHOWN) })
  superseded!: NearMemory[];

  @Field(() => [RemovedSecrets], { description: 'Secrets that were taken out before anything was kept.' })
  redacted!: RemovedSecrets[];
}
