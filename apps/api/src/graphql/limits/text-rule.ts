import { type DocumentNode, visit } from 'graphql';

// With the u flag a whole pair is one character, so only halves match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What is wrong with a text that neither Postgres nor a client could store and give back unchanged. */
export const textFault = (text: string): string | null => {
  if (text.includes('\u0000')) return 'holds a NUL character';
  return LONE_SURROGATE.test(text) ? 'holds half of a surrogate pair' : null;
};

/** No argument takes more; a list of a million would be walked by every later step. */
export const MAX_LIST_LENGTH = 1_000;

/** The first faulty text or list among the values and keys of variables, or null. Without recursion: values may nest deeply. */
export const faultInVariables = (variables: Readonly<Record<string, unknown>>): string | null => {
  const waiting: unknown[] = [variables];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      const fault = textFault(value);
      if (fault !== null) return fault;
    } else if (Array.isArray(value)) {
      if (value.length > MAX_LIST_LENGTH) return `holds a list of more than ${MAX_LIST_LENGTH} items`;
      for (const item of value) waiting.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) waiting.push(key, item);
    }
  }
  return null;
};

/** The first faulty text among the literals of a document, or null. */
export const faultInDocument = (document: DocumentNode): string | null => {
  let fault: string | null = null;
  visit(document, {
    StringValue: ({ value }) => {
      fault ??= textFault(value);
    },
  });
  return fault;
};
