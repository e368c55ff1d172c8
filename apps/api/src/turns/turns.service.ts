import { Inject, Injectable } from '@nestjs/common';
import { AppError, type AppErrorKind } from '@tempera/client-kit';
import type { ProjectId } from '@tempera/core';
import {
  type Doors,
  findIdempotencyKey,
  insertIdempotencyKey,
  keepTurn,
  lockCaptures,
  type Logger,
  type Tx,
} from '@tempera/platform';
import { z } from 'zod';
import type { Caller } from '../auth/caller.js';
import { answerFor } from '../graphql/format-error.js';
import { checkCount, refuse } from '../memories/check-input.js';
import { requireAccess } from '../memories/place-capture.js';
import { type Clock, CLOCK, DOORS, LOGGER } from '../platform/platform.tokens.js';
import { removedFrom } from '../redaction/redact-arguments.js';
import { parseTurn, type TurnDraft } from './parse-turn.js';
import type { KeptTurn, KeptTurns, RefusedTurn, TurnInput } from './turn.types.js';

const MAX_TURNS = 50;
const OPERATION = 'keepTurn';
/** A key is of one turn, whatever a later version of our client sends with it. */
const ANY_REQUEST = new Uint8Array();
/** What can pass: then the client keeps its turns and sends them again. */
const PASSING: ReadonlySet<AppErrorKind> = new Set<AppErrorKind>(['limit-exceeded', 'unavailable', 'unauthenticated']);
const knownResponse = z.object({ conversationId: z.uuid() });

/** Keeps what people and their clients said, for themselves alone. */
@Injectable()
export class TurnsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Each turn by itself, in order; one that can never be kept is listed. @throws AppError for what may go better later:
   * those before it are kept, and known when they are sent again
   */
  async keep(caller: Caller, turns: readonly TurnInput[]): Promise<KeptTurns> {
    checkCount(turns, 'turns', MAX_TURNS);
    if (turns.length === 0) throw refuse('list-empty', '`turns` is empty.');
    const kept: KeptTurn[] = [];
    const refused: RefusedTurn[] = [];
    for (const turn of turns) {
      try {
        kept.push(await this.keepOne(caller, turn));
      } catch (error) {
        refused.push(this.toRefused(turn.key, error));
      }
    }
    return { kept, refused };
  }

  private async keepOne(caller: Caller, input: TurnInput): Promise<KeptTurn> {
    const now = this.clock.now();
    const draft = parseTurn(input, now);
    const { isNew, conversationId } = await this.doors.asTenant(caller, (tx) => keepOnce(tx, caller, draft, now));
    return { key: input.key, isNew, conversationId, redactions: [...removedFrom(input)] };
  }

  private toRefused(key: string, error: unknown): RefusedTurn {
    const { kind, code, message } = answerFor(error);
    if (PASSING.has(kind)) throw error;
    if (kind === 'internal') this.logger.error({ err: error }, 'a turn could not be kept');
    return { key, code, message };
  }
}

interface Kept {
  readonly isNew: boolean;
  readonly conversationId: string;
}

const keepOnce = async (tx: Tx, caller: Caller, draft: TurnDraft, now: Date): Promise<Kept> => {
  const { tenantId, userId } = caller;
  await lockCaptures(tx, tenantId, userId);
  const key = { tenantId, userId, key: draft.key, operation: OPERATION, requestHash: ANY_REQUEST };
  const known = await findIdempotencyKey(tx, key);
  if (known !== null && !known.isSame) {
    throw new AppError('conflict', 'key-reused', 'This key was used for another request.');
  }
  if (known !== null) return { isNew: false, ...knownResponse.parse(known.response) };
  const projectId = await placeOf(tx, caller, draft.projectSlug);
  const { key: _, projectSlug: __, ...said } = draft;
  const { status, conversationId } = await keepTurn(tx, { ...said, tenantId, userId, projectId, now });
  await insertIdempotencyKey(tx, key, { conversationId }, now);
  return { isNew: status === 'new', conversationId };
};

/** What somebody only reads, or nobody writes into any more, learns nothing of it. @throws AppError `not-found` */
const placeOf = async (tx: Tx, caller: Caller, slug: string | null): Promise<ProjectId | null> => {
  if (slug === null) return null;
  const { id, mayCapture, isArchived } = await requireAccess(tx, caller, slug);
  return mayCapture && !isArchived ? id : null;
};
