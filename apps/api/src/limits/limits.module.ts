import { Global, Module } from '@nestjs/common';
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
    { provide: FairTurns, inject: [STOPWATCH], useFactory: (nowMs: Stopwatch) => new FairTurns(nowMs) },
  ],
  exports: [AttemptLimiter, FairTurns, PointsLimiter],
})
export class LimitsModule {}
