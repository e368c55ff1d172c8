import { Inject } from '@nestjs/common';
import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { type Doors, listUpkeepRuns } from '@tempera/platform';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { UpkeepRun, UpkeepRunPage } from './upkeep-run.types.js';

@Resolver(() => UpkeepRun)
export class UpkeepRunResolver {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  @ForMachines('read')
  @Query(() => UpkeepRunPage, {
    description:
      'Merges and cleanups, of people and of nights, latest first: those that the caller may take back, or with `undone` that were.',
  })
  async upkeepRuns(
    @CurrentCaller() { tenantId, userId }: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('undone', { type: () => Boolean, defaultValue: false }) undone = false,
  ): Promise<UpkeepRunPage> {
    const bound = { tenantId, list: 'upkeepRuns', filter: { undone } };
    const request = this.paging.request({ first, after }, bound);
    const [createdAt, id] = request.after ?? [];
    const position = createdAt === undefined || id === undefined ? null : { createdAt: new Date(createdAt), id };
    const rows = await this.doors.asTenant({ tenantId, userId }, (tx) =>
      listUpkeepRuns(tx, tenantId, { take: request.take, after: position, undone }),
    );
    return this.paging.pageOf(rows, request, (run) => [run.createdAt.toISOString(), run.id]);
  }
}
