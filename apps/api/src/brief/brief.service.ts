import { Inject, Injectable } from '@nestjs/common';
import type { Doors } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { toMemory } from '../memories/memory.mapper.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { againIfVanished } from '../retrieval/again-if-vanished.js';
import { QuestionReader, type ReadQuestion } from '../retrieval/question-reader.js';
import type { BriefInput } from './brief.input.js';
import type { Brief } from './brief.types.js';
import { type GatheredBrief, gatherBrief } from './gather-brief.js';
import { parseBrief } from './parse-brief.js';

/** Tells what is worth knowing before a task, and records it like any other answer, so that it can be voted on. */
@Injectable()
export class BriefService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reader: QuestionReader,
  ) {}

  /** @throws AppError `invalid-input`, or `not-found` for a project that is not there for the caller */
  async brief(caller: Caller, input: BriefInput): Promise<Brief> {
    const now = this.clock.now();
    const request = parseBrief(input);
    const gather = (read: ReadQuestion | null): Promise<GatheredBrief> =>
      againIfVanished(() => this.doors.asTenant(caller, (tx) => gatherBrief(tx, { caller, request, read, now })));
    const { task } = request;
    const gathered = task === null ? gather(null) : this.reader.asking(caller, task, gather);
    const { retrievalId, shown, leftOut, tokens, categories, searchedScopes } = await gathered;
    return {
      retrievalId,
      items: shown.map(({ part, record, text, why }) => ({
        part,
        memory: toMemory(record, caller.userId, now),
        text,
        why: [...why],
      })),
      leftOut,
      tokens,
      correctionCategories: [...categories],
      searchedScopes: [...searchedScopes],
    };
  }
}
