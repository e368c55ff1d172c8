import { Inject, Injectable } from '@nestjs/common';
import {
  type Beat,
  type Doors,
  type EncoderPool,
  type InstanceFigures,
  instanceFigures,
  listBeats,
  migrationNames,
} from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import { VERSION } from '../config/version.js';
import { DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { insideOperatorDoor } from './inside-operator-door.js';
import type { InstanceHealth } from './instance-health.types.js';

/** Three missed signs of life. */
const ALIVE_SECONDS = 30;
/** Work that waits longer than this has nobody to do it. */
const LAG_SECONDS = 300;

/** How the instance is doing, from what its programs wrote down: no request asks a worker or the workflow engine. */
@Injectable()
export class InstanceHealthService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
  ) {}

  /** @throws AppError `unavailable` when the database is out */
  async health(operator: OperatorCaller): Promise<InstanceHealth> {
    const { figures, beats } = await insideOperatorDoor(this.doors, operator, async (tx) => ({
      figures: await instanceFigures(tx),
      beats: await listBeats(tx),
    }));
    const encoders = this.encoders
      .statuses()
      .map(({ name, state, reason }) => ({ name, ready: state === 'ready', detail: reason ?? state }));
    const workers = beats.map(({ version, startedAt, beatAt, ageSeconds }) => ({
      version,
      startedAt,
      beatAt,
      alive: ageSeconds <= ALIVE_SECONDS,
    }));
    const { migrations: applied, latestMigration: latest, outboxWaiting, outboxLagSeconds } = figures;
    return {
      version: VERSION,
      migrations: { applied, expected: migrationNames.length, latest },
      encoders,
      workers,
      outboxWaiting,
      outboxLagSeconds,
      tenants: {
        active: figures.activeTenants,
        suspended: figures.suspendedTenants,
        deleted: figures.deletedTenants,
      },
      problems: problemsOf(figures, beats, encoders),
    };
  }
}

const problemsOf = (
  { migrations, outboxLagSeconds }: InstanceFigures,
  beats: readonly Beat[],
  encoders: readonly { readonly name: string; readonly ready: boolean }[],
): string[] => {
  const away = encoders.filter(({ ready }) => !ready).map(({ name }) => name);
  const problems: [applies: boolean, text: string][] = [
    [migrations !== migrationNames.length, 'The database and this program know different migrations.'],
    [
      !beats.some(({ ageSeconds }) => ageSeconds <= ALIVE_SECONDS),
      'No worker has shown a sign of life: no nights run.',
    ],
    [outboxLagSeconds > LAG_SECONDS, 'Promised work has waited for more than five minutes.'],
    [away.length > 0, `Not ready: ${away.join(', ')}; texts of that language are found by words alone.`],
  ];
  return problems.flatMap(([applies, text]) => (applies ? text : []));
};
