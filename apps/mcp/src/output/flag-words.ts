/*
 * The service speaks of the arguments of its API, since it does not know who asks. A person at a terminal typed flags, so
 * whatever an error names is named as it was typed.
 */

const FLAGS: Readonly<Record<string, string>> = {
  confirmName: 'the name',
  errorsResolved: '--error',
  'errorsResolved.error': '--error',
  'errorsResolved.resolution': '--error',
  expectedRevision: '--revision',
  expiresAt: '--expires',
  expiresInDays: '--days',
  filesModified: '--files',
  first: '--limit',
  ids: 'the ids',
  limit: '--limit',
  maxTokens: '--max-tokens',
  memoryIds: '--episodes',
  minUtility: '--min-utility',
  olderThanDays: '--older-than',
  promptKey: '--prompt-key',
  query: 'the question',
  retrievalId: '--retrieval',
  sessionKey: '--session',
  taskType: '--task-type',
  transferTo: '--to',
  userId: 'the user',
};
/** Arguments whose flags have their names. */
const AS_NAMED = new Set(
  'files group kinds note outcome project reason role scopes since supersedes tags text title until validity verification'.split(
    ' ',
  ),
);

const flagOf = (name: string): string | undefined => FLAGS[name] ?? (AS_NAMED.has(name) ? `--${name}` : undefined);

/** A sentence of the service in the words of the command line. */
export const inFlags = (text: string): string =>
  text
    .replace(/`([a-z][A-Za-z.]*)`/g, (whole, name: string) => flagOf(name) ?? whole)
    .replace(/\bscope (PRIVATE|PROJECT|GROUP|TENANT)\b/gi, (_, scope: string) => `--scope ${scope.toLowerCase()}`);
