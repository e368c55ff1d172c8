import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  changeDefaultQuota,
  changeQuota,
  type Doors,
  type QuotaChanges,
  type QuotaColumn,
  readTenantQuota,
} from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { insideOperatorDoor } from '../operators/inside-operator-door.js';
import { DOORS } from '../platform/platform.tokens.js';
import type { QuotaInput, TenantQuota } from './usage.types.js';

interface Bound {
  readonly column: QuotaColumn;
  readonly min: number;
  readonly max: number;
}

/** As the columns' checks have them. */
const BOUNDS: Readonly<Record<keyof QuotaInput, Bound>> = {
  memories: { column: 'memories', min: 0, max: 1e9 },
  bytes: { column: 'bytes', min: 0, max: 1e15 },
  embeddingsPerDay: { column: 'embeddings_per_day', min: 0, max: 1e9 },
  userPointsPerMinute: { column: 'user_points_per_minute', min: 5_000, max: 1e9 },
  tenantPointsPerMinute: { column: 'tenant_points_per_minute', min: 5_000, max: 1e9 },
};
const NAMES = Object.keys(BOUNDS) as (keyof QuotaInput)[];

const noSuchTenant = (): AppError => new AppError('not-found', 'no-such-tenant', 'No such tenant.');

/** Checks what was given. @throws AppError `invalid-input` that names the number and its range */
const toChanges = (input: QuotaInput, mayReset: boolean): QuotaChanges => {
  const changes: Partial<Record<QuotaColumn, number | null>> = {};
  for (const name of NAMES) {
    const value = input[name];
    if (value === undefined) continue;
    const { column, min, max } = BOUNDS[name];
    const isNumber = value !== null && Number.isInteger(value) && value >= min && value <= max;
    if (!isNumber && !(value === null && mayReset)) {
      throw new AppError('invalid-input', 'quota', `\`${name}\` is a whole number from ${min} to ${max}.`);
    }
    changes[column] = value;
  }
  return changes;
};

/** What tenants may keep and do, as operators set it. */
@Injectable()
export class QuotaService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** @throws AppError `not-found` */
  async ofTenant(operator: OperatorCaller, tenantId: string | null): Promise<TenantQuota> {
    const id = tenantId === null ? null : parseUuid(tenantId);
    if (tenantId !== null && id === null) throw noSuchTenant();
    const found = await insideOperatorDoor(this.doors, operator, (tx) => readTenantQuota(tx, id));
    if (found === null) throw noSuchTenant();
    const { used, ...quota } = found;
    return { tenantId: id, quota, usage: used };
  }

  /** @throws AppError `invalid-input`, `not-found` */
  async change(operator: OperatorCaller, tenantId: string, input: QuotaInput): Promise<TenantQuota> {
    const id = parseUuid(tenantId);
    const changes = toChanges(input, true);
    if (id === null) throw noSuchTenant();
    const outcome = await insideOperatorDoor(this.doors, operator, (tx) => changeQuota(tx, id, changes));
    if (outcome === 'missing') throw noSuchTenant();
    return this.ofTenant(operator, id);
  }

  /** @throws AppError `invalid-input`; a default cannot go back to a default */
  async changeDefault(operator: OperatorCaller, input: QuotaInput): Promise<TenantQuota> {
    const changes = toChanges(input, false);
    await insideOperatorDoor(this.doors, operator, (tx) => changeDefaultQuota(tx, changes));
    return this.ofTenant(operator, null);
  }
}
