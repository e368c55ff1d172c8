import { asId, MAX_RULE_BOOST, type RecallRule, type RuleConditions, type UserId } from '@tempera/core';
import { parseUuid } from '../graphql/ids.js';
import { checkCount, checkList, checkText, hasItems, refuse } from '../memories/check-input.js';
import type { RecallRuleInput, RuleConditionsInput } from './recall-rule.types.js';

const MAX_POSITION = 1_000;
const MAX_ITEMS = 50;
const MAX_AGE_DAYS = 36_500;

/** A rule whose parts have been checked, with its place among those of its level. */
export interface RuleDraft extends RecallRule {
  readonly position: number;
  readonly enabled: boolean;
}

/** @throws AppError `invalid-input` that names the argument */
export const parseRule = (input: RecallRuleInput): RuleDraft => {
  const { position, effect, enabled } = input;
  if (position < 0 || position > MAX_POSITION) {
    throw refuse('position', `\`position\` is a whole number from 0 to ${MAX_POSITION}.`);
  }
  const conditions = parseConditions(input.conditions);
  if (effect !== 'boost' && Object.keys(conditions).length === 0) {
    throw refuse('conditions', '`conditions` say nothing: this rule would be about every memory.');
  }
  return {
    name: checkText(input.name, { name: 'name', max: 100, oneLine: true }),
    position,
    enabled,
    conditions,
    effect,
    ...factorOf(input),
    ...maxItemsOf(input),
  };
};

const factorOf = ({ effect, factor }: RecallRuleInput): { readonly factor?: number } => {
  const given = factor ?? null;
  if (effect !== 'boost') {
    if (given === null) return {};
    throw refuse('factor', '`factor` belongs to a boost.');
  }
  if (given === null || given <= 1 || given > MAX_RULE_BOOST) {
    throw refuse('factor', `A boost has a \`factor\` above 1 and at most ${MAX_RULE_BOOST}.`);
  }
  return { factor: given };
};

const maxItemsOf = ({ effect, maxItems }: RecallRuleInput): { readonly maxItems?: number } => {
  const given = maxItems ?? null;
  if (effect !== 'limit') {
    if (given === null) return {};
    throw refuse('max-items', '`maxItems` belongs to a limit.');
  }
  if (given === null || given < 1 || given > MAX_ITEMS) {
    throw refuse('max-items', `A limit has \`maxItems\` from 1 to ${MAX_ITEMS}.`);
  }
  return { maxItems: given };
};

const parseConditions = (input: RuleConditionsInput): RuleConditions => {
  const { kinds, tags, scopes, authors, files, pinned } = input;
  const minAgeDays = ageOf('minAgeDays', input.minAgeDays);
  const maxAgeDays = ageOf('maxAgeDays', input.maxAgeDays);
  if (minAgeDays !== undefined && maxAgeDays !== undefined && minAgeDays > maxAgeDays) {
    throw refuse('range', '`minAgeDays` is above `maxAgeDays`.');
  }
  return {
    ...(hasItems(kinds) ? { kinds: [...new Set(kinds)] } : {}),
    ...(hasItems(scopes) ? { scopes: [...new Set(scopes)] } : {}),
    ...(hasItems(tags) ? { tags: checkList(tags, { name: 'tags', max: 100, maxItems: 50 }) } : {}),
    ...(hasItems(files) ? { files: checkList(files, { name: 'files', max: 1_000, maxItems: 50 }) } : {}),
    ...(hasItems(authors) ? { authors: authorsOf(authors) } : {}),
    ...(typeof pinned === 'boolean' ? { pinned } : {}),
    ...(minAgeDays === undefined ? {} : { minAgeDays }),
    ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
  };
};

const ageOf = (name: string, value: number | null | undefined): number | undefined => {
  if (value === null || value === undefined) return undefined;
  if (value >= 0 && value <= MAX_AGE_DAYS) return value;
  throw refuse('age', `\`${name}\` is a number of days from 0 to ${MAX_AGE_DAYS}.`);
};

/** Ids alone: whether they are anybody's makes no difference to the answer, so that nothing is told by it. */
const authorsOf = (ids: readonly string[]): UserId[] => {
  checkCount(ids, 'authors', 50);
  return ids.map((id) => {
    const uuid = parseUuid(id);
    if (uuid === null) throw refuse('authors', '`authors` are ids of people.');
    return asId<UserId>(uuid);
  });
};
