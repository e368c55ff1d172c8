import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  cancelEncoderChange,
  type Doors,
  type EncoderCard,
  encoderFigures,
  type EncoderId,
  type EncoderPool,
  listEncoderChanges,
  readTenantEncoders,
  sqlStateOf,
  startEncoderChange,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Clock, CLOCK, DOORS, ENCODERS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { isUnderWay, toEncoderChange } from './encoder.mapper.js';
import type { ChangeEncoderInput, Encoder, EncoderChange, EncoderFigures, Encoders } from './encoder.types.js';

const UNIQUE_VIOLATION = '23505';
const MAX_KEEP_DAYS = 90;

/** An encoder to change to, and the one of its model that the tenant has. */
interface Wish {
  readonly from: EncoderId;
  readonly to: EncoderId;
}

/** Changes of a tenant's encoders. The worker moves them on, and the embedding loop reads; no request waits for either. */
@Injectable()
export class EncodersService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(ENCODERS) private readonly encoders: EncoderPool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden` for who is no admin */
  async show(caller: Caller): Promise<Encoders> {
    const { active, changes } = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return { active: (await readTenantEncoders(tx, caller.tenantId)).active, changes: await readChanges(tx, caller) };
    });
    const encoders = this.encoders.statuses().map(({ encoder, state, reason }): Encoder => {
      const card = this.cardOf(encoder);
      const { language, dimensions } = card;
      const isActive = active[card.name] === encoder;
      return { encoder, language, dimensions, active: isActive, ready: state === 'ready', detail: reason ?? state };
    });
    return { encoders, changes };
  }

  /** @throws AppError as {@link start} does */
  async preview(caller: Caller, encoder: string): Promise<EncoderFigures> {
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const { from, to } = await wishOf(tx, caller, this.cardOf(encoder), encoder);
      return encoderFigures(tx, { from, to, since: this.clock.now() });
    });
  }

  /**
   * @throws AppError `invalid-input` for an encoder that is not there, `unavailable` for one that cannot read, `forbidden`
   *   for who is no admin, `conflict` where it is active already or another change is under way
   */
  async start(caller: Caller, { encoder, keepDays }: ChangeEncoderInput): Promise<EncoderChange> {
    if (keepDays < 0 || keepDays > MAX_KEEP_DAYS) {
      throw new AppError('invalid-input', 'keep-days', `\`keepDays\` is between 0 and ${MAX_KEEP_DAYS}.`);
    }
    // Before anything is said of what encoders there are, or loaded.
    await this.doors.asTenant(caller, requireAdmin);
    const card = this.cardOf(encoder);
    await this.requireReady(encoder as EncoderId);
    try {
      return await this.doors.asTenant(caller, async (tx) => {
        await requireAdmin(tx);
        const { from, to } = await wishOf(tx, caller, card, encoder);
        const { edge, cluster } = card.thresholds;
        const near = { edge: edge.cosine, cluster: cluster.cosine };
        const id = await startEncoderChange(tx, { name: card.name, from, to, ...near, keepDays });
        return readChange(tx, caller, id);
      });
    } catch (error) {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      throw new AppError('conflict', 'encoder-change-running', 'A change of encoder is under way; cancel it, or wait.');
    }
  }

  /** @throws AppError `not-found`, `forbidden` for who is no admin, `conflict` after the switch */
  async cancel(caller: Caller, given: string): Promise<EncoderChange> {
    const id = parseUuid(given);
    return this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      const answer = id === null ? 'missing' : await cancelEncoderChange(tx, id);
      if (answer === 'switched') {
        throw new AppError('conflict', 'encoder-switched', 'It has switched; change back to the encoder before.');
      }
      return readChange(tx, caller, answer === 'missing' ? null : id);
    });
  }

  private cardOf(encoder: string): EncoderCard {
    const card = this.encoders.cards.get(encoder as EncoderId);
    if (card !== undefined) return card;
    const known = [...this.encoders.cards.keys()].join(', ');
    throw new AppError('invalid-input', 'encoder-unknown', `There is no such encoder here; there are ${known}.`);
  }

  /** Nothing is begun that no process could do. */
  private async requireReady(encoder: EncoderId): Promise<void> {
    const [status] = await this.encoders.prepare([encoder]);
    if (status?.state === 'ready') return;
    throw new AppError('unavailable', 'encoder-not-ready', status?.reason ?? `${encoder} cannot be loaded.`);
  }
}

const wishOf = async (tx: Tx, { tenantId }: Caller, card: EncoderCard, encoder: string): Promise<Wish> => {
  const { active } = await readTenantEncoders(tx, tenantId);
  const [from, to] = [active[card.name], encoder as EncoderId];
  if (from === to) throw new AppError('conflict', 'encoder-active', `${encoder} reads your tenant already.`);
  return { from, to };
};

const readChanges = async (tx: Tx, { tenantId }: Caller): Promise<EncoderChange[]> => {
  const changes = await listEncoderChanges(tx, tenantId);
  const shown: EncoderChange[] = [];
  for (const change of changes) {
    const { fromEncoder: from, toEncoder: to, requestedAt: since } = change;
    shown.push(toEncoderChange(change, isUnderWay(change) ? await encoderFigures(tx, { from, to, since }) : null));
  }
  return shown;
};

const readChange = async (tx: Tx, caller: Caller, id: string | null): Promise<EncoderChange> => {
  const change = (await readChanges(tx, caller)).find((one) => one.id === id);
  if (change === undefined) throw new AppError('not-found', 'no-such-change', 'No such change of encoder.');
  return change;
};
