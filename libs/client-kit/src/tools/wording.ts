import { neutraliseLine } from '../untrusted-text.js';
import { shortId } from './arguments.js';
import type { ToolContext } from './tool.js';

/**
 * How a tool speaks of itself. An agent calls tools with arguments, a person runs commands with options: advice in the
 * other one's words helps neither. Commands stand in backticks and begin with `tempera`, so that an edge can put in the
 * line that runs on its machine.
 */
export interface Wording {
  /** What an argument of the tool's schema is called. */
  argument(name: string): string;
  /** The same of a place within it, as of the first of a list. */
  place(name: string, within: readonly PropertyKey[]): string;
  wrongArguments(tool: string, told: string): string;
  /** Said below hits. */
  voteOn(ids: readonly string[], retrievalId: string): string;
  /** How to see the whole of a memory that was cut. */
  whole(id: string): string;
  /** How to see what was left out of an answer. */
  readonly more: string;
  readonly noQuery: string;
  /** Said where the folder has no project. */
  readonly unbound: string;
  /** How to have a dry run done: the same place, else another project's memories would be changed. */
  execute(action: 'consolidate' | 'cleanup', asked: AskedPlace): string;
  /** How to take a run back. */
  undo(runId: string): string;
  /** After {@link unbound}, where a project is needed. */
  readonly orProject: string;
}

/** Where a caller asked something to be done; what was left out follows the folder. */
export interface AskedPlace {
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
}

const UNBOUND = 'This folder is bound to no project, so new memories stay private. To share with the team,';

const forAgents: Wording = {
  argument: (name) => name,
  place: (name, within) => [name, ...within.map(String)].join('.'),
  wrongArguments: (tool, told) => `${tool} was called with wrong arguments: ${told}.`,
  voteOn: (ids, retrievalId) =>
    `Did one help or mislead? tempera_feedback {"episode_ids": [of ${ids.map((id) => `"${shortId(id)}"`).join(', ')}], "helpful": true or false, "retrieval_id": "${retrievalId}"}`,
  whole: (id) => `query ${shortId(id)}`,
  more: 'Ask for one by its id, or raise max_tokens.',
  noQuery: 'query is empty: ask a question, name an id, or set all.',
  unbound: `${UNBOUND} the user runs \`tempera init\` in it.`,
  execute: (action, { project, scope }) => {
    const where = Object.entries({ scope, project }).filter(([, value]) => value !== undefined);
    const named = where.map(([name, value]) => `, "${name}": ${JSON.stringify(neutraliseLine(value ?? '', 100))}`);
    return `To do it: tempera_review {"action": "${action}"${named.join('')}, "execute": true}`;
  },
  undo: (runId) => `To take it back the user runs \`tempera undo ${shortId(runId)}\`.`,
  orProject: 'Or pass project.',
};

const OPTION_NAMES: Readonly<Record<string, string>> = {
  query: 'the question',
  summary: 'the text',
  episode_ids: '--episodes',
  retrieval_id: '--retrieval',
  session_id: '--session',
  prompt_id: '--prompt-key',
  files_modified: '--files',
  errors_resolved: '--error',
};

const optionOf = (name: string): string => OPTION_NAMES[name] ?? `--${name.replaceAll('_', '-')}`;

const forPeople: Wording = {
  argument: optionOf,
  // A list is typed as one word.
  place: optionOf,
  wrongArguments: (_tool, told) => `This cannot be run so: ${told}.`,
  voteOn: (ids, retrievalId) =>
    `Did one help or mislead? \`tempera feedback helpful --episodes ${ids.map(shortId).join(',')} --retrieval ${retrievalId}\` (or unhelpful, and only the ids that you mean)`,
  whole: (id) => `retrieve ${shortId(id)}`,
  more: 'Ask for one by its id, or raise --max-tokens.',
  noQuery: 'There is no question: ask one, name an id, or say --all.',
  unbound: `${UNBOUND} run \`tempera init\` in it.`,
  execute: (action, { project, scope }) => {
    const verb = action === 'cleanup' ? 'prune' : 'consolidate';
    // As the tool itself has it, the private ones go before a project that is named too.
    const ofProject = project === undefined ? '' : ` --project ${neutraliseLine(project, 100)}`;
    return `To do it: \`tempera ${verb}${scope === 'private' ? ' --private' : ofProject} --execute\``;
  },
  undo: (runId) => `To take it back: \`tempera undo ${shortId(runId)}\``,
  orProject: 'Or say --project SLUG.',
};

/** The words for whoever reads the answer. */
export const wordingOf = ({ source }: Pick<ToolContext, 'source'>): Wording =>
  source === 'CLI' ? forPeople : forAgents;
