/** Saturation of repeated words and weight of the length; the values of the literature measured as well as any here. */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

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
  const rarity = termRarity(documents, documentFrequency);
  const relativeLength = averageLength > 0 ? length / averageLength : 1;
  const { k1, b } = BM25;
  return (rarity * tf * (k1 + 1)) / (tf + k1 * (1 - b + b * relativeLength));
}

/** How much a term tells, by how few documents hold it. */
export const termRarity = (documents: number, documentFrequency: number): number =>
  Math.log(1 + Math.max(0, documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
