import { AppError, idForm, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import {
  ERASURE_IDS,
  IDENTITY_IDS,
  INVITATION_IDS,
  OPERATOR_IDS,
  PROPOSAL_IDS,
  RULE_IDS,
  RUN_IDS,
  SESSION_IDS,
  TENANT_IDS,
  TOKEN_IDS,
  USER_IDS,
} from '../graphql/id-operations.js';
import type { Asker } from './pages.js';

/** A list of the service in which an id may stand. */
export interface IdList {
  readonly query: string;
  readonly field: string;
  /** One list for each set of variables. */
  readonly variables: readonly Readonly<Record<string, unknown>>[];
}

const list = (query: string, field: string, ...variables: IdList['variables']): IdList => ({
  query,
  field,
  variables: variables.length === 0 ? [{}] : variables,
});

export const TOKENS = list(TOKEN_IDS, 'tokens');
export const INVITATIONS = list(INVITATION_IDS, 'invitations');
export const IDENTITIES = list(IDENTITY_IDS, 'identities');
export const PROPOSALS = list(PROPOSAL_IDS, 'proposals');
export const RUNS = list(RUN_IDS, 'maintenanceRuns');
export const TENANTS = list(TENANT_IDS, 'tenants');
export const RULES = list(RULE_IDS, 'recallRules');
export const OPERATORS = list(OPERATOR_IDS, 'operators');
/** Active ones, and those who may come back. */
export const PEOPLE = list(USER_IDS, 'users', {}, { filter: { status: 'SUSPENDED' } });
/** Also those who were removed. */
export const EVERYONE = list(USER_IDS, 'users', ...PEOPLE.variables, { filter: { status: 'REMOVED' } });
export const ERASURES = list(ERASURE_IDS, 'erasures');
/** The caller's own logins, or those of a person. */
export const sessionsOf = (userId: string | undefined): IdList =>
  list(SESSION_IDS, 'sessions', userId === undefined ? {} : { userId });

const PAGE_SIZE = 100;
/** Who has more to choose from says the whole id. */
const MAX_PAGES = 20;
const rows = z.array(z.object({ id: z.string() }));
const answerShape = z.union([
  rows.transform((nodes) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } })),
  z.object({ nodes: rows, pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }) }),
]);

const idsOf = async (asker: Asker, { query, field }: IdList, variables: object): Promise<string[]> => {
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const paged: Record<string, unknown> = { ...variables, first: PAGE_SIZE, after };
    const sent = query.includes('$first') ? paged : variables;
    const answer: z.output<typeof answerShape> = await asker.ask(query, { ...sent }, field, answerShape, true);
    ids.push(...answer.nodes.map(({ id }) => id));
    after = answer.pageInfo.endCursor;
    if (!answer.pageInfo.hasNextPage || after === null) break;
  }
  return ids;
};

const refused = (word: string, found: readonly string[]): AppError => {
  const typed = neutraliseLine(word, 60);
  if (found.length > 1) {
    const ids = found.slice(0, 5).join(', ');
    return new AppError('conflict', 'several-ids', `Several ids begin with ${typed}: ${ids}.`, {
      details: { fix: 'Say the whole one.' },
    });
  }
  return new AppError(
    'not-found',
    'no-such-id',
    `Nothing there that you can see has an id that begins with ${typed}.`,
    {
      details: { fix: 'The list shows the ids there are.' },
    },
  );
};

/** What a person typed as an id, which the service completes. @throws AppError `invalid-input` for what is no id */
export const typedId = (word: string): string => {
  if (idForm(word) !== 'none') return word;
  throw new AppError('invalid-input', 'no-id', `"${neutraliseLine(word, 60)}" is no id.`, {
    details: { fix: 'Say its first eight characters, or the whole, as the list shows it.' },
  });
};

/** {@link typedId} of an option; undefined where it was not given. */
export const typedIdOption = (word: unknown): string | undefined =>
  typeof word === 'string' ? typedId(word) : undefined;

/**
 * The whole id of what a person typed: eight characters are enough, as everywhere that ids are shown.
 * @throws AppError `invalid-input` for what is no id, `not-found` and `conflict` where not exactly one begins so
 */
export const knownId = async (asker: Asker, ids: IdList, word: string): Promise<string> => {
  if (idForm(typedId(word)) === 'full') return word;
  const found = new Set<string>();
  for (const variables of ids.variables) {
    for (const id of await idsOf(asker, ids, variables)) if (id.startsWith(word.toLowerCase())) found.add(id);
  }
  const [only] = found;
  if (only === undefined || found.size > 1) throw refused(word, [...found]);
  return only;
};

/** {@link knownId} of an option; undefined where it was not given. */
export const knownIdOption = async (asker: Asker, ids: IdList, word: unknown): Promise<string | undefined> =>
  typeof word === 'string' ? knownId(asker, ids, word) : undefined;
