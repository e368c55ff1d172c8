import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What an argument should be, in words that need no schema to be understood. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const size = (origin: string, bound: number | bigint): string => {
  if (origin === 'array') return `${bound} ${bound === 1 ? 'item' : 'items'}`;
  return origin === 'string' ? `${bound} characters` : String(bound);
};

/**
 * What is wrong with one argument, as the end of a sentence that begins with its name; of a closed list, which words it has.
 * The words of the schema library speak to whoever wrote the schema.
 */
export const argumentFault = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_value':
      return `is one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      if (issue.path.length === 0) return 'the arguments are an object with named values';
      return issue.input === undefined ? 'is missing' : `is ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `is at least ${size(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `is at most ${size(issue.origin, issue.maximum)}`;
    case 'unrecognized_keys':
      return `${issue.keys.join(', ')} ${issue.keys.length === 1 ? 'is no argument' : 'are no arguments'} of this tool`;
    default:
      return issue.message;
  }
};
