import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findRun,
  listRuns,
  type MaintenanceRun,
  requestRun,
  type RunPosition,
  tenantDate,
  type Tx,
} from '@tempera/platform';
import type { RunKind } from '@tempera/platform/temporal/contract';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';

const DAY_MS = 86_400_000;

/** What a person asks for. */
export interface RunWish {
  readonly kind: RunKind;
  /** `YYYY-MM-DD`; else today in the tenant's time zone. */
  readonly runDate?: string | null;
}

/** Asks for maintenance and shows what came of it. Who works it off reads the database: no request waits for that. */
@Injectable()
export class MaintenanceService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
  ) {}

  /**
   * Asks for a run. An unfinished one of the same kind and date is answered instead of a second.
   * @throws AppError `forbidden` for who is no admin, `invalid-input` for a date that is still to come
   */
  request(caller: Caller, { kind, runDate }: RunWish): Promise<MaintenanceRun> {
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const at = this.clock.now();
      const date = await this.checkedDate(tx, caller, runDate, at);
      const ids = { runId: randomUUID(), outboxId: randomUUID() };
      const request = { tenantId: caller.tenantId, requestedBy: caller.userId, kind, runDate: date, at, ...ids };
      const { run, isNew } = await requestRun(tx, request);
      if (isNew) {
        const details = kind === 'nightly' ? { runDate: date } : { runDate: date, kind };
        await appendAudit(tx, { action: 'maintenance.requested', subjectKind: 'run', subjectId: run.id, details });
      }
      return run;
    });
  }

  /** Runs the caller asked for, admins all of the tenant's, latest first. */
  async page(caller: Caller, args: PageArgs): Promise<Page<MaintenanceRun>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'maintenanceRuns' });
    const [requestedAt, id] = request.after ?? [];
    const after: RunPosition | null =
      requestedAt === undefined || id === undefined ? null : { requestedAt: new Date(requestedAt), id };
    const rows = await this.doors.asTenant(caller, (tx) => listRuns(tx, caller.tenantId, request.take, after));
    return this.paging.pageOf(rows, request, (run) => [run.requestedAt.toISOString(), run.id]);
  }

  /** @throws AppError `not-found` also where the caller may not see it */
  async byId(caller: Caller, id: string): Promise<MaintenanceRun> {
    const runId = parseUuid(id);
    const run = runId === null ? null : await this.doors.asTenant(caller, (tx) => findRun(tx, caller.tenantId, runId));
    if (run === null) throw new AppError('not-found', 'no-such-run', 'No such maintenance run.');
    return run;
  }

  /** A night of a day to come would have the nights until then change nothing, as no days would have passed. */
  private async checkedDate(tx: Tx, caller: Caller, runDate: string | null | undefined, at: Date): Promise<string> {
    if (runDate === null || runDate === undefined) return tenantDate(tx, caller.tenantId, at);
    const tomorrow = await tenantDate(tx, caller.tenantId, new Date(at.getTime() + DAY_MS));
    if (runDate <= tomorrow) return runDate;
    throw new AppError('invalid-input', 'run-date', `\`runDate\` is at the latest tomorrow, ${tomorrow}.`);
  }
}
