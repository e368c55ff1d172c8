import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  cancelRun,
  type Doors,
  findRun,
  listChanges,
  listRuns,
  type MaintenanceRun as RunRecord,
  requestRun,
  type RunPosition,
  tenantDate,
  type Tx,
} from '@tempera/platform';
import { type RunKind, STEP_RULES } from '@tempera/platform/temporal/contract';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import type { MaintenanceChange, MaintenanceRun } from './maintenance.types.js';
import { showRuns } from './show-runs.js';

const DAY_MS = 86_400_000;

/** What a person asks for. */
export interface RunWish {
  readonly kind: RunKind;
  /** `YYYY-MM-DD`; else today in the tenant's time zone. */
  readonly runDate?: string | null;
  readonly dryRun?: boolean;
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
   * @throws AppError `forbidden` for who is no admin, `invalid-input` for a date that is still to come, or a dry run of what has none
   */
  async request(caller: Caller, { kind, runDate, dryRun: isDry = false }: RunWish): Promise<MaintenanceRun> {
    if (isDry) checkDry(kind);
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const at = this.clock.now();
      const date = await this.checkedDate(tx, caller, runDate, at);
      const ids = { runId: randomUUID(), outboxId: randomUUID() };
      const request = { tenantId: caller.tenantId, requestedBy: caller.userId, kind, isDry, runDate: date, at, ...ids };
      const { run, isNew } = await requestRun(tx, request);
      if (isNew) {
        const details = {
          ...{ runDate: date },
          ...(kind === 'nightly' ? {} : { kind }),
          ...(isDry ? { dryRun: true } : {}),
        };
        await appendAudit(tx, { action: 'maintenance.requested', subjectKind: 'run', subjectId: run.id, details });
      }
      return (await showRuns(tx, caller.tenantId, [run]))[0] ?? noSuchRun();
    });
  }

  /**
   * Cancels a run that has not ended; one that has is left as it is.
   * @throws AppError `not-found`, also where the caller may not see it; `forbidden` for who is no admin
   */
  cancel(caller: Caller, id: string): Promise<MaintenanceRun> {
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const { id: runId } = await this.require(tx, caller, id);
      const isCancelled = await cancelRun(tx, caller.tenantId, runId, this.clock.now());
      const [run] = await showRuns(tx, caller.tenantId, [await this.require(tx, caller, id)]);
      if (isCancelled) await appendAudit(tx, { action: 'maintenance.cancelled', subjectKind: 'run', subjectId: runId });
      return run ?? noSuchRun();
    });
  }

  /** What a run did, or would do, to memories that the caller sees. @throws AppError `not-found` */
  async changes(caller: Caller, id: string, args: PageArgs): Promise<Page<MaintenanceChange>> {
    const { tenantId } = caller;
    const request = this.paging.request(args, { tenantId, list: 'maintenanceChanges', filter: { id } });
    const [step, memoryId] = request.after ?? [];
    const after = step === undefined || memoryId === undefined ? null : { step, memoryId };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      const run = await this.require(tx, caller, id);
      return listChanges(tx, tenantId, run.id, { limit: request.take, after });
    });
    return this.paging.pageOf(rows, request, (change) => [change.step, change.memoryId]);
  }

  /** Runs the caller asked for, admins all of the tenant's, latest first. */
  async page(caller: Caller, args: PageArgs): Promise<Page<MaintenanceRun>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'maintenanceRuns' });
    const [requestedAt, id] = request.after ?? [];
    const after: RunPosition | null =
      requestedAt === undefined || id === undefined ? null : { requestedAt: new Date(requestedAt), id };
    const rows = await this.doors.asTenant(caller, async (tx) =>
      showRuns(tx, caller.tenantId, await listRuns(tx, caller.tenantId, request.take, after)),
    );
    return this.paging.pageOf(rows, request, (run) => [run.requestedAt.toISOString(), run.id]);
  }

  /** @throws AppError `not-found` also where the caller may not see it */
  async byId(caller: Caller, id: string): Promise<MaintenanceRun> {
    const [run] = await this.doors.asTenant(caller, async (tx) =>
      showRuns(tx, caller.tenantId, [await this.require(tx, caller, id)]),
    );
    return run ?? noSuchRun();
  }

  private async require(tx: Tx, { tenantId }: Caller, id: string): Promise<RunRecord> {
    const runId = parseUuid(id);
    return (runId === null ? null : await findRun(tx, tenantId, runId)) ?? noSuchRun();
  }

  /** A night of a day to come would have the nights until then change nothing, as no days would have passed. */
  private async checkedDate(tx: Tx, caller: Caller, runDate: string | null | undefined, at: Date): Promise<string> {
    if (runDate === null || runDate === undefined) return tenantDate(tx, caller.tenantId, at);
    const tomorrow = await tenantDate(tx, caller.tenantId, new Date(at.getTime() + DAY_MS));
    if (runDate <= tomorrow) return runDate;
    throw new AppError('invalid-input', 'run-date', `\`runDate\` is at the latest tomorrow, ${tomorrow}.`);
  }
}

const noSuchRun = (): never => {
  throw new AppError('not-found', 'no-such-run', 'No such maintenance run.');
};

/** Only what removes or joins memories is tried out; what lending would do is told by `propagationPreview`. */
const checkDry = (kind: RunKind): void => {
  if (kind === 'nightly' || STEP_RULES[kind].canBeDry) return;
  const dry = Object.entries(STEP_RULES).flatMap(([step, { canBeDry }]) => (canBeDry ? [step.toUpperCase()] : []));
  throw new AppError('invalid-input', 'no-dry-run', `\`dryRun\` is for NIGHTLY and ${dry.join(', ')}.`);
};
