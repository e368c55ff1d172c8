import { Args, Int, Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { AuditEntry, AuditExport, AuditFilter, AuditPage, KeptHeadInput } from './audit.types.js';
import { AuditService } from './audit.service.js';
import { ChainVerdict } from './chain-verdict.types.js';

@Resolver(() => AuditEntry)
export class AuditResolver {
  constructor(private readonly audit: AuditService) {}

  @ForMachines('admin')
  @Query(() => AuditPage, { description: 'What was done in the tenant, newest first (owner, admin).' })
  auditLog(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('filter', { type: () => AuditFilter, nullable: true }) filter?: AuditFilter | null,
  ): Promise<AuditPage> {
    return this.audit.page(caller, { first, after }, filter ?? null);
  }

  @ForMachines('admin')
  @Query(() => AuditExport, { description: 'The audit as JSON lines, oldest first, page by page (owner, admin).' })
  exportAudit(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
  ): Promise<AuditExport> {
    return this.audit.export(caller, { first, after });
  }

  @ForMachines('admin')
  @Query(() => ChainVerdict, {
    description:
      'Checks the hash chain of the audit (owner, admin). A tail that was cut off shows only against a `head` kept elsewhere.',
  })
  verifyAudit(
    @CurrentCaller() caller: Caller,
    @Args('after', { type: () => String, nullable: true }) after?: string | null,
    @Args('head', { type: () => KeptHeadInput, nullable: true }) head?: KeptHeadInput | null,
  ): Promise<ChainVerdict> {
    return this.audit.verify(caller, after ?? null, head ?? null);
  }
}
