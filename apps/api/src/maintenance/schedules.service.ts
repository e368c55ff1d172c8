import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findNights,
  findTenant,
  promiseSchedule,
  type ScheduleKind,
  stepWishes,
  type Tx,
  updateNights,
  wishStep,
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

/** Only the parts that were given. */
const given = <T extends object>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined | null> } =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: Exclude<T[K], undefined | null>;
  };

/** When the tenant's nights are and how often each step of theirs. What is wanted is written down; the worker tells the workflow engine. */
@Injectable()
export class SchedulesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The nights, then each of their steps. @throws AppError `forbidden` for who is no admin */
  list(caller: Caller): Promise<Schedule[]> {
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return this.read(tx, caller);
    });
  }

  /** @throws AppError `forbidden`, `invalid-input` for a time of a step or a cadence of the nights */
  async set(caller: Caller, { kind, hour, minute, cadence, paused }: SetScheduleInput): Promise<Schedule> {
    const time = given({ hour: within('hour', hour, 23), minute: within('minute', minute, 59) });
    const often = given({ cadence });
    checkParts(kind, Object.keys(time).length > 0, Object.keys(often).length > 0);
    return this.change(caller, kind, { ...time, ...often, ...given({ paused }) });
  }

  private change(caller: Caller, kind: ScheduleKind, change: ReturnType<typeof given<Wanted>>): Promise<Schedule> {
    const { tenantId } = caller;
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const { cadence, ...nights } = change;
      if (kind === 'nightly') {
        await updateNights(tx, tenantId, nights, this.clock.now());
        await promiseSchedule(tx, tenantId);
      } else {
        await wishStep(tx, tenantId, kind, given({ cadence, paused: change.paused }), this.clock.now());
      }
      const schedule = (await this.read(tx, caller)).find((one) => one.kind === kind);
      if (schedule === undefined) throw new AppError('not-found', 'no-such-schedule', 'No such schedule.');
      const details = { kind, fields: Object.keys(change).join(' ') };
      await appendAudit(tx, { action: 'schedule.changed', subjectKind: 'tenant', subjectId: tenantId, details });
      return schedule;
    });
  }

  private async read(tx: Tx, { tenantId }: Caller): Promise<Schedule[]> {
    const nights = await findNights(tx, tenantId);
    if (nights === null) return [];
    const timeZone = (await findTenant(tx, tenantId))?.timeZone ?? 'UTC';
    const steps = await stepWishes(tx, tenantId);
    return [
      { ...nights, kind: 'nightly', cadence: 'nightly', timeZone, lastOn: null },
      ...steps.map(({ step, changedAt, ...wish }) => ({
        ...{ ...nights, ...wish, kind: step, timeZone },
        updatedAt: changedAt,
      })),
    ];
  }
}

type Wanted = Omit<SetScheduleInput, 'kind'>;

const checkParts = (kind: ScheduleKind, hasTime: boolean, hasCadence: boolean): void => {
  if (kind === 'nightly' && hasCadence) {
    throw new AppError(
      'invalid-input',
      'schedule-cadence',
      'Nights are nightly; a `cadence` is of one of their steps.',
    );
  }
  if (kind !== 'nightly' && hasTime) {
    throw new AppError('invalid-input', 'schedule-time', 'A step has the time of the night: set that of NIGHTLY.');
  }
};
