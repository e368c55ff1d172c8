import { Inject, Injectable } from '@nestjs/common';
import { AppError, isAppError } from '@tempera/client-kit';
import { derivedKeys, type Doors, type KeyRing } from '@tempera/platform';
import { createHmac } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { DOORS, KEYS, SETTINGS } from '../platform/platform.tokens.js';

/** Ways to get in by a secret that can be guessed at. */
export type AttemptKind = 'login' | 'refresh' | 'exchange' | 'operator' | 'device' | 'password' | 'oidc';

/** From where, and at what, somebody tries. */
export interface AttemptOrigin {
  /** Of `ClientAddress`. */
  readonly address: string;
  /** What names one account, such as a user's id; where none is known, the secret itself: a wrong one may be shown again. */
  readonly account: string;
}

interface AttemptRule {
  readonly perAccount: number;
  readonly firstWaitSeconds: number;
}

const BACK_OFF: AttemptRule = { perAccount: 5, firstWaitSeconds: 1 };

/**
 * A user code of a device login is short, so five wrong ones close the door to their person for ten minutes (docs/design.md A6). The
 * other codes have 256 bits: nobody guesses one, and waiting only spares the database.
 */
const RULES: Readonly<Record<AttemptKind, AttemptRule>> = {
  login: BACK_OFF,
  refresh: BACK_OFF,
  exchange: BACK_OFF,
  operator: BACK_OFF,
  password: BACK_OFF,
  oidc: BACK_OFF,
  device: { perAccount: 5, firstWaitSeconds: 600 },
};

/**
 * Counts wrong attempts to get in, in the database, so that all replicas count together: for the account or secret that was
 * tried, and once for each of them for the address, which has a much higher bound. So an office behind one address is not
 * shut out by one person's typos, nor by a program that shows a dead token for ever.
 * Addresses and accounts are kept as keyed hashes, and forgotten after a day. A door that is closed is closed for right
 * secrets too, else it would tell right from wrong.
 */
@Injectable()
export class AttemptLimiter {
  /** Of every key of the ring, the current first: what was counted under one key holds under the next. */
  private readonly keys: () => readonly Uint8Array[];
  private readonly perAddress: number;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(KEYS) ring: KeyRing,
    @Inject(SETTINGS) { attemptsPerAddress }: Settings,
  ) {
    this.keys = ring.view((set) => derivedKeys(set, 'attempts'));
    this.perAddress = attemptsPerAddress;
  }

  /** Before a secret is looked at. @throws AppError `limit-exceeded` with the time to wait */
  async check(kind: AttemptKind, origin: AttemptOrigin): Promise<void> {
    const seconds = await this.doors.asSystem.checkAttempts(
      kind,
      this.keys().flatMap((key) => [hashOf(key, 'address', origin.address), hashOf(key, 'account', origin.account)]),
    );
    if (seconds === 0) return;
    throw new AppError('limit-exceeded', 'too-many-attempts', `Too many wrong attempts; try again in ${seconds} s.`, {
      details: { limit: 'attempts', retryAfterSeconds: seconds },
    });
  }

  /** After a secret was wrong. */
  async failed(kind: AttemptKind, { address, account }: AttemptOrigin): Promise<void> {
    const { perAccount, firstWaitSeconds } = RULES[kind];
    const [key] = this.keys();
    if (key === undefined) throw new Error('There is no key for attempts.');
    await this.doors.asSystem.countAttempt({
      kind,
      account: { hash: hashOf(key, 'account', account), free: perAccount },
      address: { hash: hashOf(key, 'address', address), free: this.perAddress },
      firstWaitSeconds,
    });
  }

  /** Checks, tries, and counts what `attempt` refuses as `unauthenticated`. */
  async guard<T>(kind: AttemptKind, origin: AttemptOrigin, attempt: () => Promise<T>): Promise<T> {
    await this.check(kind, origin);
    try {
      return await attempt();
    } catch (error) {
      if (isAppError(error) && error.kind === 'unauthenticated') await this.failed(kind, origin);
      throw error;
    }
  }
}

const hashOf = (key: Uint8Array, what: string, value: string): Uint8Array =>
  createHmac('sha256', key)
    .update(JSON.stringify([what, value]))
    .digest();
