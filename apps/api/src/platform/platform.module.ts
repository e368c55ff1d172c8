import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Doors, EncoderPool, KeyRing, Logger } from '@tempera/platform';
import type { Settings } from '../config/settings.js';
import { standingDoors } from './standing-doors.js';
import { type Clock, CLOCK, DOORS, ENCODERS, KEYS, LOGGER, SETTINGS } from './platform.tokens.js';

/** What the API is given; the caller owns and closes it. */
export interface AppDependencies {
  readonly settings: Settings;
  readonly doors: Doors;
  readonly encoders: EncoderPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: KeyRing;
}

@Global()
@Module({})
export class PlatformModule {
  static register({ settings, doors, encoders, clock, logger, keys }: AppDependencies): DynamicModule {
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: DOORS, useValue: standingDoors(doors) },
      { provide: ENCODERS, useValue: encoders },
      { provide: CLOCK, useValue: clock },
      { provide: LOGGER, useValue: logger },
      { provide: KEYS, useValue: keys },
    ];
    return { module: PlatformModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
