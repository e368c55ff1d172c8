import { Inject, Injectable } from '@nestjs/common';
import { AppError, isAppError } from '@tempera/client-kit';
import { type AttemptSubject, derivedKeys, type Doors, type KeyRing } from '@tempera/platform';
import { createHmac } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { DOORS, KEYS, SETTINGS } from '../platform/platform.tokens.js';

/** Ways to get in by a secret that can be guessed at. */
export type AttemptKind = 'login' | 'refresh' | 'exchange' | 'operator' | 'device' | 'password' | 'oidc';

/** From where, and for whom where that is known, somebody tries. */
export interface AttemptOrigin {
  /** Of `ClientAddress`. */
  readonly address: string;
  /** Any text that names one account: a user's id, a tenant and an e-mail address. */
  readonly account?: string;
}

interface AttemptRule {
  /** Wrong attempts of one address before it waits; else the setting ATTEMPTS_PER_ADDRESS. */
  readonly perAddress?: number;
  readonly perAccount: number;
  readonly firstWaitSeconds: number;
}

const BACK_OFF: AttemptRule = { perAccount: 5, firstWaitSeconds: 1 };

/**
 * A user code of a device login is short, so five wrong ones close the door for ten minutes (docs/design.md A6). The other codes
 * have 256 bits: nobody guesses one, and waiting only spares the database; an office behind one address must still get in.
 */
const RULES: Readonly<Record<AttemptKind, AttemptRule>> = {
  login: BACK_OFF,
  refresh: BACK_OFF,
  exchange: BACK_OFF,
  operator: BACK_OFF,
  password: BACK_OFF,
  oidc: BACK_OFF,
  device: { perAddress: 5, perAccount: 5, firstWaitSeconds: 600 },
};

/**
 * Counts wrong attempts to get in, per address and per account, in the database, so that all replicas count together.
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
      this.keys().flatMap((key) => this.subjects(key, kind, origin).map(({ hash }) => hash)),
    );
    if (seconds === 0) return;
    throw new AppError('limit-exceeded', 'too-many-attempts', `Too many wrong attempts; try again in ${seconds} s.`, {
      details: { limit: 'attempts', retryAfterSeconds: seconds },
    });
  }

  /** After a secret was wrong. */
  async failed(kind: AttemptKind, origin: AttemptOrigin): Promise<void> {
    const { firstWaitSeconds } = RULES[kind];
    const [key] = this.keys();
    if (key === undefined) throw new Error('There is no key for attempts.');
    await this.doors.asSystem.countAttempts({ kind, subjects: this.subjects(key, kind, origin), firstWaitSeconds });
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

  private subjects(key: Uint8Array, kind: AttemptKind, { address, account }: AttemptOrigin): AttemptSubject[] {
    const rule = RULES[kind];
    const subjects = [{ hash: hashOf(key, 'address', address), free: rule.perAddress ?? this.perAddress }];
    if (account !== undefined) subjects.push({ hash: hashOf(key, 'account', account), free: rule.perAccount });
    return subjects;
  }
}

const hashOf = (key: Uint8Array, what: string, value: string): Uint8Array =>
  createHmac('sha256', key)
    .update(JSON.stringify([what, value]))
    .digest();
