import {
  findCandidates,
  questionTerms,
  rankCandidates,
  type RankedMemory,
  type RecallPolicy,
  type SearchFilter,
  toKeywords,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import type { ReadQuestion } from './question-reader.js';

/** Candidates that each encoder, and the keywords, may bring. */
const PER_LEG = 200;

/** What is searched for, by whom and when. */
export interface Search {
  readonly caller: Caller;
  readonly read: ReadQuestion;
  readonly text: string;
  readonly now: Date;
}

/** What the caller may see that answers a question, best first. */
export const rankFor = async (
  tx: Tx,
  { caller, read, text, now }: Search,
  filter: SearchFilter,
  { settings, rules }: Pick<RecallPolicy, 'settings' | 'rules'>,
): Promise<RankedMemory[]> => {
  const candidates = await findCandidates(tx, {
    tenantId: caller.tenantId,
    question: read.embeddings.map(({ encoder, vector, card }) => ({
      encoder,
      vector,
      tau: card.thresholds.tau.cosine,
      likeQuestion: card.thresholds.likeQuestion.cosine,
    })),
    terms: questionTerms(toKeywords(text)),
    filter,
    now,
    perLeg: PER_LEG,
  });
  return rankCandidates(candidates, {
    askerId: caller.userId,
    now,
    cards: new Map(read.embeddings.map(({ encoder, card }) => [encoder, card])),
    defaultCard: read.card,
    settings,
    rules,
  });
};
