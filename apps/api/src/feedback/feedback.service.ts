import { Inject, Injectable } from '@nestjs/common';
import type { MemoryId } from '@tempera/core';
import {
  type Doors,
  holdLending,
  lendAtOnce,
  type QuestionEmbedding,
  readTenantEncoders,
  recordVote,
  rememberQuestion,
  type TenantEncoders,
  type Tx,
  withdrawVote,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireEncoders } from '../encoders/encoders-moved.js';
import { KnownEncoders } from '../encoders/known-encoders.js';
import { checkCount, checkOptionalText, refuse } from '../memories/check-input.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { QuestionReader } from '../retrieval/question-reader.js';
import { type FeedbackAnswer, type FeedbackInput, MAX_VOTED_IDS } from './feedback.types.js';
import { type AcceptedVote, type Refusal, sortBallot } from './sort-votes.js';

const MAX_NOTE = 2_000;

/** What is to be written for a ballot, vectors of the questions included. */
interface Verdict {
  readonly helpful: boolean;
  readonly note: string | null;
  readonly now: Date;
  readonly vectors: ReadonlyMap<string, readonly QuestionEmbedding[]>;
}

/** Takes votes on what was shown. */
@Injectable()
export class FeedbackService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reader: QuestionReader,
    private readonly known: KnownEncoders,
  ) {}

  /** Each id is recorded or rejected with its reason; one does not hinder another. @throws AppError `invalid-input` */
  async vote(caller: Caller, input: FeedbackInput): Promise<FeedbackAnswer> {
    const ids = [...new Set(input.memoryIds)];
    if (ids.length === 0) throw refuse('list-empty', '`memoryIds` is empty.');
    checkCount(ids, 'memoryIds', MAX_VOTED_IDS);
    const note = checkOptionalText(input.note, { name: 'note', max: MAX_NOTE });
    const ballot = { ids, retrievalId: input.retrievalId ?? null, withdraw: input.withdraw };
    const { accepted, rejected } = await this.doors.asTenant(caller, (tx) => sortBallot(tx, caller, ballot));
    if (input.withdraw) return this.withdraw(caller, accepted, rejected);
    const verdict = { helpful: input.helpful, note, now: this.clock.now() };
    await this.known.settled(caller.tenantId, async (encoders) => {
      const vectors = await this.readQuestions(caller, accepted, encoders);
      await this.doors.asTenant(caller, async (tx) => {
        if (vectors.size > 0) requireEncoders(encoders, await readTenantEncoders(tx, caller.tenantId));
        await record(tx, caller, accepted, { ...verdict, vectors });
      });
    });
    return { recorded: accepted.map(({ memoryId }) => memoryId), rejected: [...rejected] };
  }

  private async withdraw(
    caller: Caller,
    accepted: readonly AcceptedVote[],
    rejected: readonly Refusal[],
  ): Promise<FeedbackAnswer> {
    const recorded: MemoryId[] = [];
    const refused = [...rejected];
    await this.doors.asTenant(caller, async (tx) => {
      // In one order for everybody, so that two people never wait for each other.
      const inOrder = [...accepted].sort((one, other) => (one.memoryId < other.memoryId ? -1 : 1));
      for (const { memoryId, retrievalId } of inOrder) {
        const { tenantId, userId } = caller;
        const hadVote = await withdrawVote(tx, { tenantId, userId, retrievalId, memoryId });
        if (hadVote) recorded.push(memoryId);
        else refused.push({ id: memoryId, reason: 'You have no vote on it.' });
      }
    });
    return { recorded, rejected: refused };
  }

  /** The vectors of the questions, each read once; none while no encoder is ready. */
  private async readQuestions(
    caller: Caller,
    accepted: readonly AcceptedVote[],
    encoders: TenantEncoders,
  ): Promise<Map<string, readonly QuestionEmbedding[]>> {
    const vectors = new Map<string, readonly QuestionEmbedding[]>();
    for (const question of new Set(accepted.flatMap(({ question: text }) => text ?? []))) {
      vectors.set(question, await this.reader.readToKeep(caller, question, encoders));
    }
    return vectors;
  }
}

const record = async (
  tx: Tx,
  { tenantId, userId }: Caller,
  accepted: readonly AcceptedVote[],
  { helpful, note, now, vectors }: Verdict,
): Promise<void> => {
  // In order of id, so that two ballots on the same memories never wait for each other.
  const ordered = [...accepted].sort((one, other) => (one.memoryId < other.memoryId ? -1 : 1));
  const ids = ordered.map(({ memoryId }) => memoryId);
  // Only praise lends; blame touches nobody else's score.
  if (helpful) await holdLending(tx, ids);
  for (const { memoryId, retrievalId, question } of ordered) {
    const vote = { tenantId, userId, memoryId, retrievalId, helpful, note, now };
    await recordVote(tx, vote);
    await rememberQuestion(tx, vote, question === null ? [] : (vectors.get(question) ?? []));
  }
  if (helpful) await lendAtOnce(tx, ids, now);
};
