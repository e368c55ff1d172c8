import { SEED_QUESTION } from './seed-memories.js';
import type { SeedAnswer } from './seed-steps.js';

/** Where things are, for the texts. */
export interface Places {
  /** Where clients reach the API. */
  readonly publicUrl: string;
  /** The command line's program file. */
  readonly cli: string;
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/** The question that the first run asked, and what the memory answered. */
export const answerText = (answer: SeedAnswer | null): string => {
  const asked = `Asked the new memory: ${SEED_QUESTION}`;
  if (answer === null) return `${asked}\n  It found nothing.`;
  return `${asked}\n  ${answer.title} (${Math.round(answer.similarity * 100)} % similar)\n${indented(answer.text)}`;
};

/** How the operator of this instance begins; shown once, on the first run. */
export const operatorSteps = ({ publicUrl, cli }: Places, code: string): string =>
  [
    'Running the instance (tenants, quotas, health; never memories) is an operator’s',
    `  Log in       node ${cli} admin login --server ${publicUrl}`,
    `               and paste this code, good once and for a quarter of an hour: ${code}`,
    '               later ones: npm run operator-code',
  ].join('\n');

/** What to do next, ready to paste. */
export const nextSteps = ({ publicUrl, cli }: Places, code: string | null): string =>
  [
    'What to do next',
    `  GraphQL      ${publicUrl}/graphql`,
    `  Log in       node ${cli} login --server ${publicUrl}`,
    code === null
      ? `               with a one-time code: an admin makes one with \`invite NAME\`, you yourself with \`login-code\``
      : `               and paste this code, good once and for an hour: ${code}`,
    `  A project    node ${cli} init   (in a repository of yours: it proposes one, or to create it)`,
    `  A colleague  node ${cli} invite NAME --project SLUG`,
    `  Claude Code  claude mcp add --transport stdio tempera -- node ${cli} serve`,
  ].join('\n');
