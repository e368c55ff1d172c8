import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { changeTenantStatus, type Doors, listTenants, type TenantOverview, type TenantStatus } from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { insideOperatorDoor } from './inside-operator-door.js';
import type { TenantFilter } from './tenancy.types.js';

const noSuchTenant = (): AppError => new AppError('not-found', 'no-such-tenant', 'No such tenant.');

/** The instance's tenants: listed by numbers, suspended, resumed and deleted. */
@Injectable()
export class TenanciesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
    private readonly sessions: SessionCheck,
  ) {}

  /** By name. @throws AppError `unauthenticated` for who is no operator any more */
  async page(operator: OperatorCaller, args: PageArgs, filter: TenantFilter | null): Promise<Page<TenantOverview>> {
    const { status, name: search } = filter ?? {};
    const narrowing = { ...(status ? { status } : {}), ...(search ? { search } : {}) };
    const request = this.paging.request(args, { tenantId: 'operators', list: 'tenants', filter: narrowing });
    const [name, id] = request.after ?? [];
    const after = name === undefined || id === undefined ? {} : { after: { name, id } };
    const rows = await insideOperatorDoor(this.doors, operator, (tx) =>
      listTenants(tx, { ...narrowing, ...after, take: request.take }),
    );
    return this.paging.pageOf(rows, request, (tenant) => [tenant.name, tenant.id]);
  }

  /** Nobody of the tenant gets in, within five seconds; nothing is lost. Done already, it changes nothing. */
  suspend(operator: OperatorCaller, id: string): Promise<TenantOverview> {
    return this.change(operator, id, 'suspended', null);
  }

  /** @throws AppError `conflict` for a deleted tenant */
  resume(operator: OperatorCaller, id: string): Promise<TenantOverview> {
    return this.change(operator, id, 'active', null);
  }

  /**
   * Closes the tenant at once and for good; the worker then erases all it has.
   * @throws AppError `invalid-input` where `confirmName` is not its name to the letter
   */
  delete(operator: OperatorCaller, id: string, confirmName: string): Promise<TenantOverview> {
    return this.change(operator, id, 'deleted', confirmName);
  }

  private async change(
    operator: OperatorCaller,
    id: string,
    status: TenantStatus,
    confirmName: string | null,
  ): Promise<TenantOverview> {
    const tenantId = parseUuid(id);
    if (tenantId === null) throw noSuchTenant();
    const tenant = await insideOperatorDoor(this.doors, operator, async (tx) => {
      const outcome = await changeTenantStatus(tx, tenantId, status, confirmName);
      if (outcome === 'name') {
        throw new AppError('invalid-input', 'confirm-name', '`confirmName` is not the name of this tenant.');
      }
      if (outcome === 'deleted') throw new AppError('conflict', 'tenant-deleted', 'This tenant has been deleted.');
      const [found] = outcome === 'missing' ? [] : await listTenants(tx, { id: tenantId, take: 1 });
      if (found === undefined) throw noSuchTenant();
      return found;
    });
    this.sessions.forget();
    return tenant;
  }
}
