import { sqlStateOf } from '@tempera/platform';

/** A policy or a foreign key refuses the row: what it points to is no longer there for the caller. */
const VANISHED = new Set(['42501', '23503']);

/** What was found may be hidden or erased before it is recorded as shown; then the search is done once more. */
export const againIfVanished = async <Result>(search: () => Promise<Result>): Promise<Result> => {
  try {
    return await search();
  } catch (error) {
    if (!VANISHED.has(sqlStateOf(error) ?? '')) throw error;
    return search();
  }
};
