import { Inject, Injectable } from '@nestjs/common';
import type { Doors } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { againIfVanished } from './again-if-vanished.js';
import { answerQuestion } from './answer-question.js';
import { parseRetrieve } from './parse-retrieve.js';
import { QuestionReader, type ReadQuestion, unread } from './question-reader.js';
import { toAnswer } from './retrieval.mapper.js';
import type { RetrieveInput } from './retrieve.input.js';
import type { RetrieveAnswer } from './retrieve.types.js';

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
    const answer = async (read: ReadQuestion): Promise<RetrieveAnswer> => {
      const found = await againIfVanished(() =>
        this.doors.asTenant(caller, (tx) => answerQuestion(tx, { caller, question, read, now })),
      );
      const mode = read.embeddings.length > 0 ? question.mode : 'keyword';
      return toAnswer(found, { viewerId: caller.userId, now, mode });
    };
    return question.mode === 'keyword'
      ? answer(unread(question.text))
      : this.reader.asking(caller, question.text, answer);
  }
}
