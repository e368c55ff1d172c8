import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  answerDeviceCode,
  derivedKey,
  derivedKeys,
  type Doors,
  hashSecret,
  hashUserCode,
  type KeyRing,
  newSecret,
  newUserCode,
  readUserCode,
  showUserCode,
  type WaitingDevice,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { DOORS, KEYS } from '../platform/platform.tokens.js';
import { OneAtATime } from './one-at-a-time.js';

/** How long a device waits for its answer. */
export const DEVICE_LIFE_SECONDS = 600;
const USER_CODE = 'user code';
/** Codes that another device happens to have: two in a row are a fault, not chance. */
const TRIES = 3;

/** What a device is given to wait with, shown once. */
export interface DeviceGrant {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** A device that waits, under the code that it shows. */
export interface DeviceRequest extends WaitingDevice {
  readonly userCode: string;
}

const noSuchDevice = (): AppError =>
  new AppError('not-found', 'no-such-device', 'No device waits under this code; look at it again, or start anew.');

/** Devices that ask to be let in, and the people who let them. */
@Injectable()
export class DeviceCodesService {
  private readonly turns = new OneAtATime();

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(KEYS) private readonly keys: KeyRing,
    private readonly attempts: AttemptLimiter,
  ) {}

  /** @throws AppError `limit-exceeded` when too many devices of this address wait already */
  async create(client: string, address: string): Promise<DeviceGrant> {
    const deviceCode = newSecret('device');
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const userCode = newUserCode();
      const outcome = await this.doors.asSystem.createDeviceCode({
        deviceHash: hashSecret(deviceCode),
        userHash: hashUserCode(derivedKey(this.keys.set, USER_CODE), readUserCode(userCode) ?? ''),
        client,
        address,
        lifeSeconds: DEVICE_LIFE_SECONDS,
      });
      if (outcome === 'made') return { deviceCode, userCode };
      if (outcome === 'full') {
        throw new AppError('limit-exceeded', 'too-many-devices', 'Too many devices wait; try again in ten minutes.', {
          details: { limit: 'devices', retryAfterSeconds: DEVICE_LIFE_SECONDS },
        });
      }
    }
    throw new Error('No free user code was found.');
  }

  /** The device under a code. @throws AppError `not-found`; `limit-exceeded` after five wrong codes of this person */
  find(caller: Caller, address: string, typed: string): Promise<DeviceRequest> {
    return this.lookUp(caller, address, typed, (hashes) => this.doors.asSystem.findDeviceCode(hashes));
  }

  /** Lets the device in as the caller, or sends it away. @throws AppError `not-found`, `limit-exceeded` */
  answer(caller: Caller, address: string, typed: string, approve: boolean): Promise<DeviceRequest> {
    return this.lookUp(caller, address, typed, async (hashes) => {
      const device = await this.doors.asSystem.findDeviceCode(hashes);
      if (device === null) return null;
      const id = await this.doors.asTenant(caller, (tx) => answerDeviceCode(tx, hashes, approve));
      return id === null ? null : device;
    });
  }

  /** Each wrong code counts against the account, whatever it was asked for. */
  private lookUp(
    caller: Caller,
    address: string,
    typed: string,
    ask: (hashes: readonly Uint8Array[]) => Promise<WaitingDevice | null>,
  ): Promise<DeviceRequest> {
    const origin = { address, account: caller.userId };
    return this.turns.run(caller.userId, async () => {
      await this.attempts.check('device', origin);
      const letters = readUserCode(typed);
      const hashes =
        letters === null ? [] : derivedKeys(this.keys.set, USER_CODE).map((key) => hashUserCode(key, letters));
      const device = letters === null ? null : await ask(hashes);
      if (device === null) {
        await this.attempts.failed('device', origin);
        throw noSuchDevice();
      }
      return { ...device, userCode: showUserCode(letters ?? '') };
    });
  }
}
