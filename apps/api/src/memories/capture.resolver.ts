import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { perItemAnswered } from '../graphql/limits/cost.js';
import { CaptureInput } from './capture.input.js';
import { CaptureService } from './capture.service.js';
import { Captured, CapturedMany } from './capture.types.js';

/** One capture keeps an encoder and a connection busy for some 20 ms. */
const CAPTURE_POINTS = 20;

@Resolver(() => Captured)
export class CaptureResolver {
  constructor(private readonly service: CaptureService) {}

  @ForMachines('write')
  @Mutation(() => Captured, { complexity: perItemAnswered(CAPTURE_POINTS, () => 1) })
  capture(@CurrentCaller() caller: Caller, @Args('input') input: CaptureInput): Promise<Captured> {
    return this.service.capture(caller, input);
  }

  @ForMachines('write')
  @Mutation(() => CapturedMany, {
    description: 'Up to 100 captures; each succeeds or fails on its own.',
    complexity: perItemAnswered(CAPTURE_POINTS, ({ inputs }) => inputs),
  })
  captureMany(
    @CurrentCaller() caller: Caller,
    @Args('inputs', { type: () => [CaptureInput] }) inputs: CaptureInput[],
  ): Promise<CapturedMany> {
    return this.service.captureMany(caller, inputs);
  }
}
