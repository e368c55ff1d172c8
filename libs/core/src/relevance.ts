/** How well a memory answers a question, before anything learned (docs/design.md, "Relevance"). */
import { clamp01 } from './clamp.js';

/** Calibration of one encoder, fitted on the development sets; on its card. */
export interface Calibration {
  readonly intercept: number;
  readonly cosine: number;
  readonly keyword: number;
  /** Median cosine of unrelated pairs, which stands in where a memory has no vector yet. */
  readonly unrelatedCosine: number;
}

/** How a memory's words matched, beside what the question's words could find at best. */
export interface WordMatch {
  /** BM25, 0 or more; 0 without a common term. */
  readonly bm25: number;
  /** The largest BM25 among this query's candidates; 0 if none has any. */
  readonly maxBm25: number;
  /** The share of the question's keyword weight (summed rarity of its terms) that the memory's terms hold, 0..1. */
  readonly covered: number;
}

/**
 * The keyword part, 0..1: how much of the question a memory's words cover, times the root of its BM25 as a share of the
 * query's best. Coverage says how many of the telling words are there at all; BM25 adds, more faintly, how much of the text
 * they are.
 */
export const keywordPart = ({ bm25, maxBm25, covered }: WordMatch): number =>
  maxBm25 > 0 ? clamp01(covered) * Math.sqrt(clamp01(bm25 / maxBm25)) : 0;

/** How a memory matched, by its best part and best view in each leg. */
export interface Match {
  /** -1..1; null without a vector of this encoder: it counts as far away as an unrelated memory, so that its words decide. */
  readonly cosine: number | null;
  /** See {@link keywordPart}. */
  readonly keyword: number;
}

/** `a + b·cosine + c·keyword`: the log-odds that a memory answers, by itself. Comparable between encoders; their cosines are not. */
export const matchOdds = ({ cosine, keyword }: Match, calibration: Calibration): number =>
  calibration.intercept + calibration.cosine * (cosine ?? calibration.unrelatedCosine) + calibration.keyword * keyword;

/** The most that a memory takes over from the one before it in its session. */
const MAX_CONTEXT = 0.6;
/** Terms up to which a memory takes over that much: a remark, of which what it answers is half the sense. */
const REMARK_TERMS = 40;

/**
 * How alike question and memory are, for a person to read: 0 where they are no nearer than any two texts, 1 for the same text.
 * Without a vector, how much of the question its words cover. Nothing is ordered by it: whether a memory answers is another
 * question, and its probability says little of likeness.
 * @param unrelated the cosine under which a text is as near as any other; on the card
 */
export const likeness = ({ cosine, keyword }: Match, unrelated: number): number =>
  clamp01(cosine === null ? keyword : (cosine - unrelated) / (1 - unrelated));

/**
 * Log-odds in the light of what came before in the session: a short memory may be about what its predecessor named, so it
 * takes over a share of what raises that above it, the smaller the more words it has of its own. Never lowered.
 * @param before the predecessor's log-odds; null where none was found
 * @param terms words of the memory, as keyword search counts them
 */
export const oddsInSession = (own: number, before: number | null, terms: number): number =>
  before === null || before <= own ? own : own + MAX_CONTEXT * Math.min(1, REMARK_TERMS / terms) * (before - own);

/** Under this share of the best hit's relevance a hit says nothing beside it. */
const FAINT = 0.01;

/** What a hit must reach beside the best of its question: the least asked for, or a share of the best. */
export const leastRelevance = (asked: number, best: number): number => Math.max(asked, FAINT * best);

/** How probable it is that a memory answers the question, 0..1, of its log-odds: the logistic function. */
export const relevance = (odds: number): number => 1 / (1 + Math.exp(-odds));
