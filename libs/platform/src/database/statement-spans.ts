import { beginSpan, endSpan, isTracing } from '../telemetry/tracing.js';

/** A word to our own connections before the statement itself, such as that its plan is kept. */
const REMARK = /^\s*\/\*[^*]*\*\//;
const VERB = /^[\s(]*([a-z]+)/i;
/** A table or function of ours: an identifier after a word that such a name follows, never a literal. */
const NAME =
  /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z0-9_]{0,62})"?|^\s*select\s+([a-z_][a-z0-9_]{0,62})\s*\(/i;

/** What a statement is called: its verb, and the first table or function it names. */
export const statementName = (text: string): string => {
  const sql = text.replace(REMARK, '');
  const verb = (VERB.exec(sql)?.[1] ?? 'sql').toLowerCase();
  const found = NAME.exec(sql);
  const name = found?.[2] ?? found?.[1];
  return name === undefined ? verb : `${verb} ${name.toLowerCase()}`;
};

const textOf = (asked: unknown): string => {
  if (typeof asked === 'string') return asked;
  const text: unknown = typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'text') : undefined;
  return typeof text === 'string' ? text : '';
};

type Query = (...args: unknown[]) => unknown;

/** Makes a span of each statement of a connection: its name and how long it took, no text and no values. */
export const traceStatements = (connection: object): void => {
  const query = (Reflect.get(connection, 'query') as Query).bind(connection);
  const traced: Query = (...args) => {
    if (!isTracing()) return query(...args);
    const span = beginSpan(statementName(textOf(args[0])), 'CLIENT', { 'db.system.name': 'postgresql' });
    const asked = query(...args);
    if (!(asked instanceof Promise)) {
      endSpan(span);
      return asked;
    }
    asked.then(
      () => endSpan(span),
      (error: unknown) => endSpan(span, error),
    );
    return asked;
  };
  Reflect.set(connection, 'query', traced);
};
