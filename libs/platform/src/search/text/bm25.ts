/** Saturation of repeated words and weight of the length; the values of the literature measured as well as any here. */
const K1 = 1.2;
const B = 0.75;

/** One term of a question in one document of a corpus. */
export interface Bm25Term {
  /** Occurrences in the document. */
  readonly tf: number;
  /** Term occurrences of the document, and the corpus's mean of it. */
  readonly length: number;
  readonly averageLength: number;
  /** Documents of the corpus that hold the term, and documents in all. A corpus is what the asker may see. */
  readonly documentFrequency: number;
  readonly documents: number;
}

/** A term's part of the BM25 score of a document: never negative; sum over the question's distinct terms. */
export function bm25({ tf, length, averageLength, documentFrequency, documents }: Bm25Term): number {
  if (tf <= 0) return 0;
  const rarity = Math.log(1 + Math.max(0, documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  return (rarity * tf * (K1 + 1)) / (tf + K1 * (1 - B + B * relativeLength));
}
