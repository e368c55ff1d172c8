import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { perItemAnswered } from '../graphql/limits/cost.js';
import { KeepTurnsInput, KeptTurns } from './turn.types.js';
import { TurnsService } from './turns.service.js';

/** A few statements each, and no encoder. */
const TURN_POINTS = 5;

const turnsOf = ({ input }: Readonly<Record<string, unknown>>): unknown =>
  typeof input === 'object' && input !== null ? Reflect.get(input, 'turns') : undefined;

@Resolver(() => KeptTurns)
export class TurnResolver {
  constructor(private readonly turns: TurnsService) {}

  @ForMachines('write')
  @Mutation(() => KeptTurns, {
    description:
      'Keeps what was said between the caller and a client, for the caller alone and for a month; each turn by itself, those that are refused with the reason.',
    complexity: perItemAnswered(TURN_POINTS, turnsOf),
  })
  keepTurns(
    @CurrentCaller() caller: Caller,
    @Args('input', { type: () => KeepTurnsInput }) input: KeepTurnsInput,
  ): Promise<KeptTurns> {
    return this.turns.keep(caller, input.turns);
  }
}
