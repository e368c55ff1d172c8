import { Inject, Injectable } from '@nestjs/common';
import type { MemoryId } from '@tempera/core';
import {
  type Doors,
  findInjected,
  findInjection,
  type InjectionPlace,
  insertInjection,
  type RankedMemory,
  readRecallPolicy,
  recordRetrieval,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireActive } from '../encoders/encoders-moved.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { againIfVanished } from '../retrieval/again-if-vanished.js';
import { QuestionReader, type ReadQuestion } from '../retrieval/question-reader.js';
import { rankFor } from '../retrieval/rank-for.js';
import type { InjectForPromptInput, PromptInjection } from './injection.types.js';
import { parsePrompt, type PromptWish } from './parse-injection.js';
import { injectionPlace, itemsOf } from './to-item.js';

/**
 * The least relevance of what is put before a prompt unasked. Relevance is calibrated as the probability that a memory
 * answers; see docs/decisions/0052 for what this one lets through.
 */
export const LEAST_RELEVANCE = 0.1;

/** The same prompt was answered meanwhile by another request; what this one did is rolled back. */
class AnsweredMeanwhile extends Error {}

/** Puts before a prompt the few memories that answer it, or nothing. */
@Injectable()
export class PromptInjectionService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reader: QuestionReader,
  ) {}

  /** @throws AppError `invalid-input`, or `not-found` for a project that is not there for the caller */
  async inject(caller: Caller, input: InjectForPromptInput): Promise<PromptInjection> {
    const now = this.clock.now();
    const wish = parsePrompt(input);
    return this.reader.asking(caller, wish.prompt, (read) => {
      const answer = (): Promise<PromptInjection> =>
        againIfVanished(() => this.doors.asTenant(caller, (tx) => answerPrompt(tx, { caller, wish, read, now })));
      return answer().catch((error: unknown) => {
        if (error instanceof AnsweredMeanwhile) return answer();
        throw error;
      });
    });
  }
}

interface PromptRequest {
  readonly caller: Caller;
  readonly wish: PromptWish;
  readonly read: ReadQuestion;
  readonly now: Date;
}

const answerPrompt = async (tx: Tx, { caller, wish, read, now }: PromptRequest): Promise<PromptInjection> => {
  const place = await injectionPlace(tx, caller, wish.projectSlug, wish.sessionKey);
  if (place === null) return { retrievalId: null, items: [] };
  const known = await findInjection(tx, place, wish.promptKey);
  if (known !== null) {
    const items = await itemsOf(tx, place, known.ids, now);
    return { retrievalId: known.retrievalId, items: known.ids.flatMap((id) => items.get(id) ?? []) };
  }
  const policy = await readRecallPolicy(tx, caller.tenantId, place.projectId);
  requireActive(read.active, policy.encoders);
  const search = { caller, read, text: wish.prompt, now };
  const ranked = await rankFor(tx, search, { projectId: place.projectId }, policy);
  const shown = await findInjected(tx, place);
  const near = ranked.filter(
    ({ candidate: { id }, parts: { relevance } }) => relevance >= LEAST_RELEVANCE && !shown.has(id),
  );
  const items = await itemsOf(tx, place, near.map(idOf), now);
  const chosen = near.filter(({ candidate: { id } }) => items.has(id)).slice(0, wish.limit);
  const retrievalId = chosen.length === 0 ? null : await recordPrompt(tx, { caller, wish, read, now }, place, chosen);
  const { promptKey } = wish;
  if (!(await insertInjection(tx, { ...place, promptKey, retrievalId, now }))) throw new AnsweredMeanwhile();
  return { retrievalId, items: chosen.flatMap(({ candidate: { id } }) => items.get(id) ?? []) };
};

const idOf = ({ candidate: { id } }: RankedMemory): MemoryId => id;

const recordPrompt = (
  tx: Tx,
  { caller: { tenantId, userId }, wish, now }: PromptRequest,
  { projectId }: InjectionPlace,
  chosen: readonly RankedMemory[],
): ReturnType<typeof recordRetrieval> =>
  recordRetrieval(tx, {
    ...{ tenantId, userId, projectId, now },
    ...{ kind: 'injected', question: wish.prompt, asOf: null },
    shown: chosen.map(({ candidate: { id }, parts: { relevance }, score }) => ({ id, relevance, score })),
  });
