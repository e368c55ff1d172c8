/** What a log line may say about an error. */
export interface ErrorDescription {
  readonly type: string;
  readonly code?: string;
  /** SQLSTATE of a database error. */
  readonly sqlState?: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: ErrorDescription;
}

const MAX_FRAMES = 12;
const MAX_CAUSES = 4;

/** Database drivers quote the statement's values in their messages, and those are people's memories. */
const quotesValues = (error: Error): boolean =>
  error.name.startsWith('Prisma') ||
  error.name === 'DriverAdapterError' ||
  error.name === 'DatabaseError' ||
  typeof Reflect.get(error, 'severity') === 'string';

const framesOf = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, MAX_FRAMES)
    .map((line) => line.slice(7));

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Prisma keeps it under `meta.driverAdapterError.cause`. */
const sqlStateOf = (error: Error): string | undefined => {
  const state = property(property(property(property(error, 'meta'), 'driverAdapterError'), 'cause'), 'originalCode');
  return typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) ? state : undefined;
};

const describe = (value: unknown, depth: number): ErrorDescription => {
  if (!(value instanceof Error)) return { type: typeof value, frames: [] };
  const code: unknown = Reflect.get(value, 'code');
  const sqlState = sqlStateOf(value);
  return {
    type: value.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(quotesValues(value) ? {} : { message: value.message.slice(0, 500) }),
    frames: framesOf(value),
    ...(value.cause !== undefined && depth < MAX_CAUSES ? { cause: describe(value.cause, depth + 1) } : {}),
  };
};

/**
 * An error as the log shows it: class, code and where it was thrown. The message of a database error is left out, since
 * it can quote the text of a memory; its SQLSTATE or Prisma code says which sort it was.
 */
export const describeError = (error: unknown): ErrorDescription => describe(error, 0);
