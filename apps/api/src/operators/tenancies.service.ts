import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  changeTenantStatus,
  type Doors,
  findTenantDeletion,
  listTenants,
  type TenantOverview,
  type TenantStatus,
} from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { insideOperatorDoor } from './inside-operator-door.js';
import { toRowCounts } from '../erasures/row-count.types.js';
import type { TenantDeletion, TenantFilter } from './tenancy.types.js';

/** So long a deleted tenant can be taken back, where nothing else was said. */
export const GRACE_DAYS = 30;
const MAX_GRACE_DAYS = 365;

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

  /** Takes a deleted tenant back too, while its grace lasts. @throws AppError `conflict` where that is over */
  resume(operator: OperatorCaller, id: string): Promise<TenantOverview> {
    return this.change(operator, id, 'active', null);
  }

  /**
   * Closes the tenant at once; when its grace is over the worker erases all it has.
   * @throws AppError `invalid-input` where `confirmName` is not its name to the letter, or the grace is no number of days
   */
  delete(operator: OperatorCaller, id: string, confirmName: string, graceDays: number): Promise<TenantOverview> {
    if (graceDays < 0 || graceDays > MAX_GRACE_DAYS) {
      throw new AppError('invalid-input', 'grace-days', `\`graceDays\` is a whole number from 0 to ${MAX_GRACE_DAYS}.`);
    }
    return this.change(operator, id, 'deleted', confirmName, graceDays);
  }

  /** Of a tenant that is there, or was. @throws AppError `not-found` where it was never deleted */
  async deletion(operator: OperatorCaller, id: string): Promise<TenantDeletion> {
    const tenantId = parseUuid(id);
    const found =
      tenantId === null
        ? null
        : await insideOperatorDoor(this.doors, operator, (tx) => findTenantDeletion(tx, tenantId));
    if (found === null) throw noSuchTenant();
    const { counts, searched, traces, ...row } = found;
    return { ...row, searchedTables: searched, counts: toRowCounts(counts), traces: toRowCounts(traces) };
  }

  private async change(
    operator: OperatorCaller,
    id: string,
    status: TenantStatus,
    confirmName: string | null,
    graceDays = 0,
  ): Promise<TenantOverview> {
    const tenantId = parseUuid(id);
    if (tenantId === null) throw noSuchTenant();
    const tenant = await insideOperatorDoor(this.doors, operator, async (tx) => {
      const outcome = await changeTenantStatus(tx, tenantId, status, confirmName, graceDays);
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
