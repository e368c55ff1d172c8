import { Inject, Injectable } from '@nestjs/common';
import {
  type Doors,
  doctorOutbox,
  type EncoderPool,
  instanceFigures,
  listBeats,
  type Logger,
  readServerFacts,
  troubledTenants,
} from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import type { Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import { insideOperatorDoor } from '../operators/inside-operator-door.js';
import { type Clock, CLOCK, DOORS, ENCODERS, LOGGER, SETTINGS } from '../platform/platform.tokens.js';
import type { DoctorFinding } from './doctor.types.js';
import { lookAtEncoders } from './look-at-encoders.js';
import {
  lookAtClock,
  lookAtSelfCheck,
  lookAtServer,
  lookAtTenants,
  lookAtWork,
  lookAtWorkers,
} from './instance-findings.js';

/** What is wrong with the instance, by what its programs and its database tell; no request asks a worker or the engine. */
@Injectable()
export class InstanceDoctorService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws AppError `unavailable` when the database is out: then that is what is wrong */
  async look(operator: OperatorCaller): Promise<DoctorFinding[]> {
    const told = await insideOperatorDoor(this.doors, operator, async (tx) => ({
      server: await readServerFacts(tx),
      figures: await instanceFigures(tx),
      outbox: await doctorOutbox(tx),
      beats: await listBeats(tx),
      troubled: await troubledTenants(tx),
    }));
    const now = this.clock.now();
    return [
      ...lookAtServer(told.server, this.settings.profile === 'production'),
      ...lookAtSelfCheck(await this.selfCheck(), told.figures.latestMigration),
      lookAtClock(told.server.now, now),
      ...lookAtEncoders(this.encoders.statuses()),
      ...lookAtWorkers(told.beats, VERSION),
      ...lookAtWork(told.outbox),
      ...lookAtTenants(told.troubled),
    ];
  }

  private async selfCheck(): Promise<unknown> {
    try {
      await this.doors.selfCheck();
      return null;
    } catch (error) {
      this.logger.warn({ err: error }, 'the self-check failed');
      return error;
    }
  }
}
