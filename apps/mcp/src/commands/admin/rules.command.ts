import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  CREATE_RECALL_RULE,
  DELETE_RECALL_RULE,
  RECALL_RULES,
  UPDATE_RECALL_RULE,
} from '../../graphql/governance-operations.js';
import type { Column } from '../../output/table.js';
import { decimalOption, given, listOption, wholeOption, wordOption } from '../command.js';
import { RULES } from '../known-id.js';
import { named, showDone } from '../lists.js';
import { printList } from '../pages.js';
import type { Call, Verbs } from '../verb.js';

const words = z.array(z.string()).nullable();
const conditionsShape = z.object({
  authors: words,
  files: words,
  kinds: words,
  scopes: words,
  tags: words,
  maxAgeDays: z.number().nullable(),
  minAgeDays: z.number().nullable(),
  pinned: z.boolean().nullable(),
});
const ruleShape = z.object({
  id: z.string().nullable(),
  name: z.string(),
  level: z.string(),
  position: z.number(),
  enabled: z.boolean(),
  effect: z.string(),
  factor: z.number().nullable(),
  maxItems: z.number().nullable(),
  conditions: conditionsShape,
});
type Rule = z.output<typeof ruleShape>;

const about = ({ conditions }: Rule): string =>
  Object.entries(conditions)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' or ') : String(value)}`)
    .join('; ') || 'every memory';

const COLUMNS: readonly Column<Rule>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name },
  { heading: 'of', cell: ({ level }) => level.toLowerCase() },
  { heading: 'effect', cell: ({ effect, factor, maxItems }) => `${effect.toLowerCase()} ${factor ?? maxItems ?? ''}` },
  { heading: 'about', cell: about },
  { heading: 'state', cell: ({ enabled }) => (enabled ? 'on' : 'off') },
];

const EFFECTS = ['first', 'boost', 'limit', 'exclude'];
const LEVELS = ['user', 'project', 'tenant'];
const KINDS = ['episode', 'preference', 'background', 'decision', 'todo', 'correction', 'question'];
const SCOPES = ['private', 'project', 'group', 'tenant'];

const RULE_OPTIONS = [
  ['--effect <effect>', 'first, boost, limit, exclude (needed)'],
  ['--factor <number>', 'of a boost: above 1, at most 1.2'],
  ['--max-items <n>', 'of a limit: 1 to 50'],
  ['--kinds <a,b>', KINDS.join(', ')],
  ['--tags <a,b>', 'about memories with any of these tags'],
  ['--files <a,b>', 'about any of these files'],
  ['--authors <a,b>', 'by any of these people (ids)'],
  ['--scopes <a,b>', SCOPES.join(', ')],
  ['--min-age-days <n>', 'at least this old'],
  ['--max-age-days <n>', 'at most this old'],
  ['--pinned', 'about pinned memories'],
  ['--position <n>', 'among the rules of its level, 0 to 1000 (default 0)'],
  ['--off', 'keep it, without an effect'],
] as const;

const wordList = (name: string, value: unknown, known: readonly string[]): (string | undefined)[] | undefined =>
  listOption(value)?.map((word) => wordOption(name, word, known));

const readRule = (name: string | undefined, options: Call['options']): Record<string, unknown> => {
  const effect = wordOption('--effect', options['effect'], EFFECTS);
  if (effect === undefined) {
    throw new AppError('invalid-input', 'no-effect', `A rule needs its effect: --effect ${EFFECTS.join(', ')}.`);
  }
  const conditions = given({
    kinds: wordList('--kinds', options['kinds'], KINDS),
    scopes: wordList('--scopes', options['scopes'], SCOPES),
    tags: listOption(options['tags']),
    files: listOption(options['files']),
    authors: listOption(options['authors']),
    minAgeDays: decimalOption('min-age-days', options['minAgeDays']),
    maxAgeDays: decimalOption('max-age-days', options['maxAgeDays']),
    pinned: options['pinned'],
  });
  return given({
    name,
    effect,
    conditions,
    factor: decimalOption('factor', options['factor']),
    maxItems: wholeOption('max-items', options['maxItems']),
    position: wholeOption('position', options['position']),
    enabled: options['off'] === true ? false : undefined,
  });
};

const tell = (call: Call, done: string, rule: Rule): void => {
  const id = rule.id === null ? '' : ` (${rule.id})`;
  showDone(
    call,
    done,
    `rule ${named(rule.name)}${id}, ${rule.effect.toLowerCase()}, about ${named(about(rule))}.`,
    rule,
  );
};

const create = async (call: Call): Promise<void> => {
  const project = call.options['project'];
  const level = wordOption('--level', call.options['level'] ?? (project === undefined ? 'user' : 'project'), LEVELS);
  const variables = given({ input: readRule(call.args[0], call.options), level, project });
  tell(call, 'Created', await call.asker.ask(CREATE_RECALL_RULE, variables, 'createRecallRule', ruleShape, false));
};

/** `tempera admin rules` */
export const RULE_VERBS: Verbs = {
  list: {
    summary: 'list the recall rules of your questions, in the order they apply',
    options: [['--project <slug>', 'as they apply there']],
    examples: ['rules list --project web-shop'],
    run: async ({ asker, terminal, options }) => {
      const variables = given({ project: options['project'] });
      const nodes = await asker.ask(RECALL_RULES, variables, 'recallRules', z.array(ruleShape), true);
      printList(terminal, { nodes, hasMore: false }, COLUMNS, 'No rules.');
    },
  },
  create: {
    args: '<name>',
    summary: "make a rule: your own, a project's (its maintainers too), or the tenant's",
    options: [
      ['--level <level>', 'user (default), project, tenant'],
      ['--project <slug>', 'the project, of a rule for one'],
      ...RULE_OPTIONS,
    ],
    examples: [
      'rules create "Decisions first" --effect first --kinds decision --level tenant',
      'rules create "Few todos" --effect limit --max-items 1 --kinds todo --project web-shop',
    ],
    run: create,
  },
  update: {
    args: '<id> <name>',
    ids: { 0: RULES },
    summary: 'put another rule in the place of one',
    options: RULE_OPTIONS,
    examples: [
      'rules update 0192f0c4-0000-4000-8000-000000000001 "Newer first" --effect boost --factor 1.1 --max-age-days 30',
    ],
    run: async (call) => {
      const [id, name] = call.args;
      const variables = { id, input: readRule(name, call.options) };
      tell(call, 'Changed', await call.asker.ask(UPDATE_RECALL_RULE, variables, 'updateRecallRule', ruleShape, true));
    },
  },
  delete: {
    args: '<id>',
    ids: { 0: RULES },
    summary: 'take a rule away',
    question: ([id]) => `Take rule ${named(id ?? '')} away?`,
    examples: ['rules delete 0192f0c4-0000-4000-8000-000000000001'],
    run: async (call) => {
      const variables = { id: call.args[0] };
      tell(call, 'Deleted', await call.asker.ask(DELETE_RECALL_RULE, variables, 'deleteRecallRule', ruleShape, false));
    },
  },
};
