/** A connection that works rolls back at once. */
const ROLLBACK_MS = 500;

/**
 * Runs a transaction whose work says when it has failed. A lost connection is told to roll back and waited for as long as for any
 * answer; whoever asked hears of the failure without that.
 */
export const withoutItsRollback = async <T>(run: (failed: (error: unknown) => void) => Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => (timer ??= setTimeout(() => reject(error as Error), ROLLBACK_MS));
  });
  try {
    return await Promise.race([run(fail), failed]);
  } finally {
    clearTimeout(timer);
  }
};
