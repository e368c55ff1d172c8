import { Inject, Injectable } from '@nestjs/common';
import { asId, type TenantId, type UserId } from '@tempera/core';
import type { Doors, SessionCheck as Standing } from '@tempera/platform';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import type { Caller, OperatorCaller } from './caller.js';
import type { AccessClaims, OperatorClaims } from './claims.js';
import { ShortMemory } from './short-memory.js';

/** How long an answer about a session may be reused: revocation acts within this time (docs/design.md A5). */
const CACHE_MS = 5_000;
const CACHE_ENTRIES = 10_000;

/** Asks the database, at each request or every few seconds, whether the session behind a token still stands. */
@Injectable()
export class SessionCheck {
  private readonly people: ShortMemory<Standing | null>;
  private readonly operators: ShortMemory<boolean>;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.people = new ShortMemory(clock, CACHE_MS, CACHE_ENTRIES);
    this.operators = new ShortMemory(clock, CACHE_MS, CACHE_ENTRIES);
  }

  /** The caller of a verified token; null when the session ended, or the user or the tenant is gone. */
  async caller({ tid, sub, sid, gen }: AccessClaims): Promise<Caller | null> {
    const standing = await this.people.get(`${tid} ${sub} ${sid} ${gen}`, () =>
      this.doors.asSystem.checkSession({ tenantId: tid, userId: sub, sessionId: sid, generation: gen }),
    );
    if (standing === null) return null;
    return { tenantId: asId<TenantId>(tid), userId: asId<UserId>(sub), sessionId: sid, scopes: standing.scopes };
  }

  async operator({ sub }: OperatorClaims): Promise<OperatorCaller | null> {
    const stands = await this.operators.get(sub, () => this.doors.asSystem.checkOperator(sub));
    return stands ? { operatorId: sub } : null;
  }

  /** After this process ended sessions itself, it need not wait for the cache. */
  forget(): void {
    this.people.clear();
    this.operators.clear();
  }
}
