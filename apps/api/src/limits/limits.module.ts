import { Global, Module } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { AttemptLimiter } from './attempt-limiter.js';
import { FairTurns } from './fair-turns.js';
import { PointsLimiter, STOPWATCH, type Stopwatch } from './points-limiter.js';

/** What bounds callers; used by every noun that lets somebody in, and by the gate that every request passes. */
@Global()
@Module({
  providers: [
    AttemptLimiter,
    PointsLimiter,
    { provide: STOPWATCH, useValue: () => performance.now() },
    {
      provide: FairTurns,
      inject: [STOPWATCH, SETTINGS],
      useFactory: (nowMs: Stopwatch, { requestsAtOnce }: Settings) => new FairTurns(nowMs, requestsAtOnce),
    },
  ],
  exports: [AttemptLimiter, FairTurns, PointsLimiter],
})
export class LimitsModule {}
