import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { WantedSchedule } from '@tempera/platform';
import { NIGHTLY_WORKFLOW, scheduleIdOf, tenantOfSchedule } from '@tempera/platform/temporal/contract';

/** Spreads the tenants of one hour over the engine and the database. */
const JITTER = '1 hour';
/** A night that was missed by less than this is made up for; the SDK's documentation names two defaults, so it is set. */
const CATCHUP_WINDOW = '12 hours';

/** An engine that takes longer than this is as good as away. */
const ANSWER_MS = 2_000;

type ScheduleBody = Omit<Parameters<Client['schedule']['create']>[0], 'scheduleId' | 'memo'>;

/** The tenants' schedules in the workflow engine. Wanted state lies in the database; here it is brought about. */
export class Schedules {
  constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
  ) {}

  /** Whether the engine answers just now; asked with every sign of life, and not waited for long. */
  async doesAnswer(): Promise<boolean> {
    try {
      await this.client.connection.withDeadline(Date.now() + ANSWER_MS, () =>
        this.client.workflowService.getSystemInfo({}),
      );
      return true;
    } catch {
      return false;
    }
  }

  /** What is there, by tenant: a note that says when, as {@link noteOf} wrote it. Lags a little behind changes. */
  async list(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { scheduleId, state } of this.client.schedule.list()) {
      const tenantId = tenantOfSchedule(scheduleId);
      if (tenantId !== null) found.set(tenantId, state.note ?? '');
    }
    return found;
  }

  /** Makes a tenant's schedule, or changes it to what is wanted. */
  async ensure(tenantId: string, wanted: WantedSchedule): Promise<void> {
    const body = this.bodyOf(tenantId, wanted);
    try {
      await this.client.schedule.create({ scheduleId: scheduleIdOf(tenantId), ...body });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await this.client.schedule
        .getHandle(scheduleIdOf(tenantId))
        .update(() => ({ ...body, state: { ...body.state } }));
    }
  }

  /** Takes a tenant's schedule away; nothing happens where there is none. */
  async remove(tenantId: string): Promise<void> {
    try {
      await this.client.schedule.getHandle(scheduleIdOf(tenantId)).delete();
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }

  private bodyOf(tenantId: string, wanted: WantedSchedule): ScheduleBody {
    return {
      // A zone whose clocks skip this hour skips one night a year; the next one makes up for it, as days are counted.
      spec: {
        calendars: [{ hour: wanted.hour, minute: wanted.minute }],
        timezone: wanted.timeZone,
        jitter: JITTER,
      },
      action: {
        type: 'startWorkflow',
        workflowType: NIGHTLY_WORKFLOW,
        workflowId: `nightly:${tenantId}`,
        taskQueue: this.taskQueue,
        args: [{ tenantId }],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW, pauseOnFailure: false },
      state: { paused: wanted.paused, note: noteOf(wanted) },
    };
  }
}

/** What a schedule's note says, for people, and for telling whether it is as wanted. */
export const noteOf = ({ hour, minute, timeZone, paused }: WantedSchedule): string => {
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return `nightly at ${time} ${timeZone}${paused ? ', paused' : ''}`;
};
