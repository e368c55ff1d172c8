import { Global, Module } from '@nestjs/common';
import { AttemptLimiter } from './attempt-limiter.js';
import { PointsLimiter, STOPWATCH } from './points-limiter.js';

/** What bounds callers; used by every noun that lets somebody in, and by the gate that every request passes. */
@Global()
@Module({
  providers: [AttemptLimiter, PointsLimiter, { provide: STOPWATCH, useValue: () => performance.now() }],
  exports: [AttemptLimiter, PointsLimiter],
})
export class LimitsModule {}
