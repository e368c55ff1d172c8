import { Inject, Injectable } from '@nestjs/common';
import {
  capturesByBucket,
  type Doors,
  groupMemories,
  healthByBucket,
  growthOfDomains,
  largestDomains,
  type StatsOf,
  sumDays,
  sumDaysByBucket,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import { toCounts, toDomains, toLearning, toPoints } from './stats.mapper.js';
import type { Stats } from './stats.types.js';
import { type SpanRequest, spanOf } from './trend-span.js';
import type { Trends } from './trends.types.js';

/** Totals and trends over what the caller may see: the database sums up as the caller, so it can tell of nothing else. */
@Injectable()
export class StatsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  stats(caller: Caller, slug: string | null): Promise<Stats> {
    return this.doors.asTenant(caller, async (tx) => {
      const of = await this.scopeOf(tx, caller, slug);
      const groups = await groupMemories(tx, of);
      const domains = await largestDomains(tx, of);
      const sums = await sumDays(tx, of);
      return { project: slug, ...toCounts(groups), domains, ...toLearning(sums) };
    });
  }

  /** @throws AppError `not-found` for a project that is not there for the caller, `invalid-input` for a span that is none */
  async trends(caller: Caller, slug: string | null, request: SpanRequest): Promise<Trends> {
    const span = spanOf(request, this.clock.now());
    return this.doors.asTenant(caller, async (tx) => {
      const of = { ...(await this.scopeOf(tx, caller, slug)), ...span, bucket: request.bucket };
      const counts = await sumDaysByBucket(tx, of);
      const captures = await capturesByBucket(tx, of);
      const growth = await growthOfDomains(tx, of);
      const noted = await healthByBucket(tx, of);
      const told = toPoints(span, counts, captures, noted);
      return { project: slug, bucket: request.bucket, ...told, domains: toDomains(span, growth) };
    });
  }

  private async scopeOf(tx: Tx, { tenantId }: Caller, slug: string | null): Promise<StatsOf> {
    const project = slug === null ? null : await requireProject(tx, tenantId, slug);
    return { tenantId, projectId: project?.id ?? null };
  }
}
