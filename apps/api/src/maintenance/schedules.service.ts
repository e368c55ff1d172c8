import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findTenant,
  listSchedules,
  promiseSchedule,
  type Tx,
  updateSchedule,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import type { Schedule, SetScheduleInput } from './schedule.types.js';

const within = (name: string, value: number | null | undefined, max: number): number | undefined => {
  if (value === null || value === undefined) return undefined;
  if (value >= 0 && value <= max) return value;
  throw new AppError('invalid-input', 'schedule-time', `\`${name}\` is a whole number from 0 to ${max}.`);
};

/** When the tenant's nights are. What is wanted is written down; the worker tells the workflow engine. */
@Injectable()
export class SchedulesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden` for who is no admin */
  list(caller: Caller): Promise<Schedule[]> {
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return this.read(tx, caller);
    });
  }

  /** @throws AppError `forbidden`, `invalid-input` */
  set(caller: Caller, input: SetScheduleInput): Promise<Schedule> {
    const { tenantId } = caller;
    const { kind, paused } = input;
    const hour = within('hour', input.hour, 23);
    const minute = within('minute', input.minute, 59);
    const change = {
      ...(hour === undefined ? {} : { hour }),
      ...(minute === undefined ? {} : { minute }),
      ...(typeof paused === 'boolean' ? { paused } : {}),
    };
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      await updateSchedule(tx, tenantId, kind, change, this.clock.now());
      await promiseSchedule(tx, tenantId);
      const schedule = (await this.read(tx, caller)).find((one) => one.kind === kind);
      if (schedule === undefined) throw new AppError('not-found', 'no-such-schedule', 'No such schedule.');
      const details = { kind, fields: Object.keys(change).join(' ') };
      await appendAudit(tx, { action: 'schedule.changed', subjectKind: 'tenant', subjectId: tenantId, details });
      return schedule;
    });
  }

  private async read(tx: Tx, { tenantId }: Caller): Promise<Schedule[]> {
    const tenant = await findTenant(tx, tenantId);
    const schedules = await listSchedules(tx, tenantId);
    return schedules.map((schedule) => ({ ...schedule, timeZone: tenant?.timeZone ?? 'UTC' }));
  }
}
