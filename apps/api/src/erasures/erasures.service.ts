import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  type Doors,
  type Erasure as ErasureRecord,
  findErasure,
  findErasureOf,
  listErasures,
  requestErasure,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { noSuchUser } from '../users/no-such-user.js';
import { findPerson, requireTarget } from '../users/require-target.js';
import { toErasure } from './erasure.mapper.js';
import type { EraseUserInput, Erasure } from './erasure.types.js';

const noSuchErasure = (): AppError => new AppError('not-found', 'no-such-erasure', 'No such erasure.');

/** People who are erased, and the receipts of it. The worker erases; no request waits for that. */
@Injectable()
export class ErasuresService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly paging: Paging,
    private readonly sessions: SessionCheck,
  ) {}

  /**
   * Asks for a person to be erased: out at once, the rest by the worker.
   * @throws AppError `invalid-input` where the name is another, `forbidden` for who is no admin or has the lower role,
   *   `not-found`, `conflict` for the last owner
   */
  async request(caller: Caller, input: EraseUserInput): Promise<Erasure> {
    if ((input.sharedMemories === 'transfer') !== (input.transferTo !== undefined && input.transferTo !== null)) {
      throw new AppError(
        'invalid-input',
        'transfer-to',
        '`transferTo` names who takes over, with TRANSFER and only then.',
      );
    }
    const erasure = await this.doors.asTenant(caller, (tx) => this.order(tx, caller, input));
    this.sessions.forget();
    return toErasure(erasure);
  }

  /** Latest first. @throws AppError `forbidden` for who is no admin */
  async page(caller: Caller, args: PageArgs): Promise<Page<Erasure>> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'erasures' });
    const [at, id] = request.after ?? [];
    const after = at === undefined || id === undefined ? null : { at: new Date(at), id };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return listErasures(tx, caller.tenantId, { after, take: request.take });
    });
    return this.paging.pageOf(rows.map(toErasure), request, (row) => [row.requestedAt.toISOString(), row.id]);
  }

  /** @throws AppError `forbidden` for who is no admin, `not-found` */
  async byId(caller: Caller, given: string): Promise<Erasure> {
    const id = parseUuid(given);
    const found = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return id === null ? null : findErasure(tx, caller.tenantId, id);
    });
    if (found === null) throw noSuchErasure();
    return toErasure(found);
  }

  private async order(tx: Tx, caller: Caller, input: EraseUserInput): Promise<ErasureRecord> {
    await requireLogin(tx, caller);
    const userId = parseUuid(input.userId);
    const isSelf = userId === caller.userId;
    if (!isSelf) {
      const known = userId === null ? null : await findErasureOf(tx, caller.tenantId, userId);
      // Nobody is left whose name could be confirmed, or they are on their way.
      if (known !== null && known.status !== 'failed') return known;
    }
    const user = await findPerson(tx, caller, input.userId);
    if (!isSelf) await requireTarget(tx, caller, user.id);
    if (input.confirmName !== user.displayName) {
      throw new AppError('invalid-input', 'confirm-name', '`confirmName` is not the name of this person.');
    }
    const toUserId = input.transferTo ? await requireHeir(tx, caller, user.id, input.transferTo) : null;
    const wish = { userId: user.id, choice: input.sharedMemories, toUserId };
    const id = await requestErasure(tx, wish);
    if (id === null) throw noSuchUser();
    const made = await findErasure(tx, caller.tenantId, id);
    // Who asked for themself is nobody any more, and sees no receipt.
    return made ?? this.begun(caller, id, wish);
  }

  private begun(
    { userId: requestedBy }: Caller,
    id: string,
    wish: Pick<ErasureRecord, 'userId' | 'choice' | 'toUserId'>,
  ): ErasureRecord {
    const nothing = { counts: {}, memorySum: '0', searched: 0, traces: {}, mentions: {} };
    return {
      id,
      ...wish,
      ...nothing,
      requestedBy,
      status: 'requested',
      requestedAt: this.clock.now(),
      finishedAt: null,
    };
  }
}

/** Who takes over: an active other person of the tenant. */
const requireHeir = async (tx: Tx, caller: Caller, leaver: string, id: string): Promise<string> => {
  const user = await findPerson(tx, caller, id);
  if (user.status !== 'active' || user.id === leaver) throw noSuchUser();
  return user.id;
};
