import { Inject, Injectable } from '@nestjs/common';
import { type Doors, sqlStateOf } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { type Answer, answerQuestion, type AnswerRequest } from './answer-question.js';
import { parseRetrieve } from './parse-retrieve.js';
import { QuestionReader, unread } from './question-reader.js';
import { toAnswer } from './retrieval.mapper.js';
import type { RetrieveInput } from './retrieve.input.js';
import type { RetrieveAnswer } from './retrieve.types.js';

/** A policy or a foreign key refuses the row: what it points to is no longer there for the caller. */
const VANISHED = new Set(['42501', '23503']);

/** Answers questions from memory. */
@Injectable()
export class RetrievalService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reader: QuestionReader,
  ) {}

  /** @throws AppError `invalid-input`, or `not-found` for a project that is not there for the caller */
  async retrieve(caller: Caller, input: RetrieveInput): Promise<RetrieveAnswer> {
    const now = this.clock.now();
    const question = parseRetrieve(input, now);
    const read = question.mode === 'keyword' ? unread(question.text) : await this.reader.read(caller, question.text);
    const answer = await this.answer({ caller, question, read, now });
    const mode = read.embeddings.length > 0 ? question.mode : 'keyword';
    return toAnswer(answer, { viewerId: caller.userId, now, mode });
  }
  /** What was found may be hidden or erased before it is recorded as shown; then the search is done once more. */
  private async answer(request: AnswerRequest): Promise<Answer> {
    const once = (): Promise<Answer> => this.doors.asTenant(request.caller, (tx) => answerQuestion(tx, request));
    try {
      return await once();
    } catch (error) {
      if (!VANISHED.has(sqlStateOf(error) ?? '')) throw error;
      return once();
    }
  }
}
