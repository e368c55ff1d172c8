import type { MemoryRecord, TextThen } from '@tempera/platform';
import { refuse } from './check-input.js';

/** The moment that is asked about; null for now. @throws AppError `invalid-input` for one that has not come yet */
export const checkAsOf = (asOf: Date | null | undefined, now: Date): Date | null => {
  if (asOf === undefined || asOf === null) return null;
  if (asOf > now) throw refuse('as-of-ahead', '`asOf` lies in the future; what will be known then is not known.');
  return asOf;
};

/** A memory in the words that it had: of errors and alternatives there is no record, so none are claimed. */
export const inWordsOfThen = (record: MemoryRecord, then: TextThen | undefined): MemoryRecord =>
  then === undefined
    ? record
    : {
        ...record,
        title: then.title,
        text: then.text,
        tags: then.tags,
        filesModified: then.filesModified,
        revision: then.revision,
        writtenBy: then.authorId,
        writtenAs: then.writtenAs,
        errorsResolved: [],
        alternatives: [],
      };
