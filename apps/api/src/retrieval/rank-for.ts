import {
  findCandidates,
  fullTextOf,
  type PastKeywords,
  questionTerms,
  rankCandidates,
  type RankedMemory,
  type RecallPolicy,
  type SearchFilter,
  type TextThen,
  toKeywords,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { inStage } from '../telemetry/stage.js';
import type { ReadQuestion } from './question-reader.js';
import type { SearchMode } from './retrieval.enums.js';

/** Candidates that each encoder, and the keywords, may bring. */
const PER_LEG = 200;

/** What is searched for, by whom and when. */
export interface Search {
  readonly caller: Caller;
  readonly read: ReadQuestion;
  readonly text: string;
  /** Default: by meaning and words. */
  readonly mode?: SearchMode;
  readonly now: Date;
  /** What was known at an earlier moment is searched instead, and what memories said then and say no more. */
  readonly past?: { readonly asOf: Date; readonly texts: readonly TextThen[] };
}

/** What the caller may see that answers a question, best first. */
export const rankFor = async (
  tx: Tx,
  search: Search,
  filter: SearchFilter,
  { settings, rules }: Pick<RecallPolicy, 'settings' | 'rules'>,
): Promise<RankedMemory[]> => {
  const { caller, read, now, past } = search;
  const candidates = await inStage('retrieve', 'search', () =>
    findCandidates(tx, {
      tenantId: caller.tenantId,
      question: read.embeddings.map(({ encoder, vector, card }) => ({
        encoder,
        vector,
        tau: card.thresholds.tau.cosine,
        likeQuestion: card.thresholds.likeQuestion.cosine,
      })),
      terms: termsOf(search),
      filter,
      now,
      ...(past === undefined ? {} : { asOf: past.asOf, past: past.texts.map(keywordsOf) }),
      perLeg: PER_LEG,
    }),
  );
  return inStage('retrieve', 'rank', async () =>
    rankCandidates(candidates, {
      askerId: caller.userId,
      // Ages are those of then.
      now: past?.asOf ?? now,
      cards: new Map(read.embeddings.map(({ encoder, card }) => [encoder, card])),
      defaultCard: read.card,
      settings,
      rules,
    }),
  );
};

/** As the words of a memory are kept for searches. */
const keywordsOf = ({ id, title, text, tags, filesModified }: TextThen): PastKeywords => ({
  id,
  keywords: toKeywords([fullTextOf({ title, text }), ...tags, ...filesModified].join('\n')),
});

/** Asked by meaning alone, words stand in only where no encoder can read. */
const termsOf = ({ mode, text, read }: Search): string[] =>
  mode === 'vector' && read.embeddings.length > 0 ? [] : questionTerms(toKeywords(text));
