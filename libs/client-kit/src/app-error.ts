/** What a caller can run into, by kind; each kind has one row in {@link errorTable}. */
export type AppErrorKind =
  | 'invalid-input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'limit-exceeded'
  | 'unavailable'
  | 'internal';

/** The `extensions.code` of a GraphQL error, and the only codes that leave the service. */
export type GraphqlErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'LIMIT_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** How every edge (GraphQL filter, activity wrapper, MCP helper, command line) treats one kind of error. */
export interface ErrorRule {
  readonly graphqlCode: GraphqlErrorCode;
  /** Whether a Temporal activity or an outbox sender may try again. */
  readonly retryable: boolean;
  /** Exit code of the command line. */
  readonly exitCode: number;
  readonly logLevel: 'info' | 'warn' | 'error';
  /** What an agent can do about it; follows the message in an MCP tool error. */
  readonly mcpHint: string;
  /** The same for a person at a terminal; follows the message of the command line. */
  readonly cliHint: string;
}

/** The one table of errors. `internal` is also the row of everything that is no {@link AppError}. */
export const errorTable: Readonly<Record<AppErrorKind, ErrorRule>> = {
  'invalid-input': {
    graphqlCode: 'BAD_USER_INPUT',
    retryable: false,
    exitCode: 2,
    logLevel: 'info',
    mcpHint: 'Correct the named argument and call again.',
    cliHint: 'Correct it and run the command again; --help shows what is possible.',
  },
  unauthenticated: {
    graphqlCode: 'UNAUTHENTICATED',
    retryable: false,
    exitCode: 3,
    logLevel: 'info',
    mcpHint: 'Ask the user to run `tempera login` in a terminal, then call again.',
    cliHint: 'Run `tempera login`, then the command again.',
  },
  forbidden: {
    graphqlCode: 'FORBIDDEN',
    retryable: false,
    exitCode: 3,
    logLevel: 'warn',
    // Who may, the message says itself: it is not always a role, nor always somebody in the tenant.
    mcpHint: 'Nothing was changed; calling again with this login will not help.',
    cliHint: 'Nothing was changed.',
  },
  'not-found': {
    graphqlCode: 'NOT_FOUND',
    retryable: false,
    exitCode: 4,
    logLevel: 'info',
    mcpHint: 'Check the id or the project slug; what the user may not see answers like what does not exist.',
    cliHint: 'Check the id or the slug; what you may not see answers like what does not exist.',
  },
  conflict: {
    graphqlCode: 'CONFLICT',
    retryable: false,
    exitCode: 5,
    logLevel: 'info',
    mcpHint: 'Look at the current state first, then call again with it in mind.',
    cliHint: 'Look at the current state first, then decide again.',
  },
  'limit-exceeded': {
    graphqlCode: 'LIMIT_EXCEEDED',
    retryable: false,
    exitCode: 5,
    logLevel: 'info',
    mcpHint: 'Ask for less, or wait before calling again.',
    cliHint: 'Ask for less, or wait and run it again.',
  },
  unavailable: {
    graphqlCode: 'UNAVAILABLE',
    retryable: true,
    exitCode: 6,
    logLevel: 'warn',
    mcpHint: 'Try again shortly; `tempera doctor` says what is unreachable.',
    cliHint: 'Try again shortly; `tempera doctor` says what is unreachable.',
  },
  internal: {
    graphqlCode: 'INTERNAL',
    retryable: true,
    exitCode: 1,
    logLevel: 'error',
    mcpHint: 'Report it to whoever runs the service, with the correlation id where there is one.',
    cliHint: 'Report it to whoever runs the service, with the correlation id where there is one.',
  },
};

/** What an {@link AppError} may carry besides its text. */
export interface AppErrorOptions {
  readonly cause?: unknown;
  /** Machine-readable particulars that may be shown to the caller: never text of memories, never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error a caller can cause or must be told about. Its message is shown to the caller. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param kind the row of {@link errorTable}
   * @param code a stable kebab-case word for programs, such as `text-too-long`
   * @param message one sentence for people
   */
  constructor(
    readonly kind: AppErrorKind,
    readonly code: string,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details ?? {};
  }
}

/**
 * Whether a caught value is an {@link AppError}. By shape rather than by class: two copies of this library (a bundled
 * client beside a built one) must still understand each other.
 */
export const isAppError = (value: unknown): value is AppError => {
  if (!(value instanceof Error) || value.name !== 'AppError') return false;
  const kind: unknown = Reflect.get(value, 'kind');
  return typeof kind === 'string' && Object.hasOwn(errorTable, kind) && typeof Reflect.get(value, 'code') === 'string';
};

/** The kind of a GraphQL error code; `null` for a code this library does not know. */
export const kindOfGraphqlCode = (code: string): AppErrorKind | null => {
  for (const [kind, rule] of Object.entries(errorTable)) {
    if (rule.graphqlCode === code) return kind as AppErrorKind;
  }
  return null;
};
