/** A word, a ticket or a version: tokens are longer, or mix letters of both cases with digits. */
const PLAIN_PART = /^(?:[A-Z]?[a-z]{1,16}\d{0,3}|[A-Z]{1,10}|\d{1,8})$/;

/**
 * Whether a branch is made of plain words, in which no secret can be. The rules of redaction are a quarter of a megabyte, which
 * the start of a session does not load for `feature/ABC-123-fix-pool`; for every other name it does.
 */
export const isPlainBranch = (branch: string): boolean =>
  branch.split(/[/._#-]+/).every((part) => part === '' || PLAIN_PART.test(part));
