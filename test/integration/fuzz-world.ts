import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from '../support/api.js';
import type { Names } from '../support/fuzz/values.js';
import { createTenant, GraphQLClient, invite } from '../support/graphql-client.js';
import { OPERATORS, PUBLIC } from '../support/open-operations.js';

/** Who asks, and what would be a leak in what they are told. */
export interface Actor {
  readonly name: string;
  readonly client: () => GraphQLClient;
  /** Makes a fresh one of the same standing, when a document ended the old one's session. */
  readonly renew: () => Promise<void>;
  /** Words that this actor must never be told. */
  readonly foreign: readonly string[];
  /** Which root fields are for such as this one. */
  readonly isTheirs: (field: string) => boolean;
}

/** Two tenants with their things, and four who ask at random. */
export interface FuzzWorld {
  readonly api: TestApi;
  readonly actors: readonly Actor[];
  /** What exists, of both tenants, and what does not. */
  readonly names: Names;
  readonly close: () => Promise<void>;
}

const CAPTURE = 'mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }';

interface Furnished {
  readonly owner: GraphQLClient;
  readonly ids: readonly string[];
  readonly slug: string;
  readonly word: string;
  readonly privateWord: string;
}

/** A tenant whose every name and text holds its word, and whose member keeps another word to himself. */
const furnish = async (operator: GraphQLClient, name: string): Promise<Furnished> => {
  const word = `canary${randomUUID().slice(0, 8)}`;
  const privateWord = `secret${randomUUID().slice(0, 8)}`;
  const slug = `web-${name}`;
  const owner = await createTenant(operator, `Tenant ${name}`);
  await owner.send('mutation ($s: String!, $n: String!) { createProject(input: { slug: $s, name: $n }) { id } }', {
    s: slug,
    n: `Project ${word}`,
  });
  const member = await invite(owner, { displayName: `Member ${word}`, project: slug, projectRole: 'CONTRIBUTOR' });
  const capture = async (input: Record<string, unknown>): Promise<string> =>
    (await member.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input })).capture.memory.id;
  const shared = { text: `The deploy key of ${word} is on the shelf.`, scope: 'PROJECT', project: slug, tags: [word] };
  const memoryIds = [await capture(shared), await capture({ text: `My notes: ${privateWord}.`, scope: 'PRIVATE' })];
  const me = await member.send<{ me: { user: { id: string } } }>('{ me { user { id } } }');
  const { issueToken } = await member.send<{ issueToken: { token: { id: string } } }>(
    'mutation ($n: String!) { issueToken(input: { name: $n }) { token { id } } }',
    { n: `ci ${word}` },
  );
  const { runMaintenance } = await owner.send<{ runMaintenance: { id: string } }>(
    'mutation { runMaintenance(input: {}) { id } }',
  );
  return { owner, slug, word, privateWord, ids: [...memoryIds, me.me.user.id, issueToken.token.id, runMaintenance.id] };
};

const actorOf = async (
  what: Pick<Actor, 'name' | 'foreign' | 'isTheirs'>,
  make: () => Promise<GraphQLClient>,
): Promise<Actor> => {
  let current = await make();
  return {
    ...what,
    client: () => current,
    renew: async () => {
      current = await make();
    },
  };
};

/** Opens the world. What the actors' documents may destroy is not what they stand on: that has no name among `names`. */
export const openFuzzWorld = async (): Promise<FuzzWorld> => {
  const api = await startTestApi({ profile: 'production' });
  const operator = await api.operator();
  const [own, other] = [await furnish(operator, 'own'), await furnish(operator, 'other')];
  const tenantIdOf = async (client: GraphQLClient): Promise<string> =>
    (await client.send<{ me: { tenant: { id: string } } }>('{ me { tenant { id } } }')).me.tenant.id;
  const foreign = [other.word, other.privateWord, own.privateWord];
  const renewed = (role: string, projectRole: string) => (): Promise<GraphQLClient> =>
    invite(own.owner, { displayName: role, role, project: own.slug, projectRole });
  const isForPeople = (field: string): boolean => !OPERATORS.includes(field);
  const [isForOperators, isPublic] = [OPERATORS, PUBLIC].map((list) => (field: string) => list.includes(field));
  if (isForOperators === undefined || isPublic === undefined) throw new Error('no lists');
  const outside = [own.word, ...foreign];
  const nobody = (): Promise<GraphQLClient> => Promise.resolve(new GraphQLClient(api.url));
  const actors = [
    await actorOf({ name: 'owner', foreign, isTheirs: isForPeople }, renewed('OWNER', 'MAINTAINER')),
    await actorOf({ name: 'viewer', foreign, isTheirs: isForPeople }, renewed('VIEWER', 'READER')),
    await actorOf({ name: 'operator', foreign: outside, isTheirs: isForOperators }, api.operator),
    await actorOf({ name: 'anonymous', foreign: outside, isTheirs: isPublic }, nobody),
  ];
  // Every round of "other" lives on without its tenant's own id here: an operator's document may suspend it.
  const throwaway = await tenantIdOf(await createTenant(operator, 'Throwaway'));
  const names: Names = {
    ids: [...own.ids, ...other.ids, throwaway, randomUUID(), '00000000-0000-4000-8000-000000000000'],
    slugs: [own.slug, own.slug, other.slug, 'nothing'],
    words: [
      'deploy key',
      'shelf',
      'notes',
      'Throwaway',
      'Europe/Zurich',
      'https://git.test/team/web.git',
      'a@example.test',
    ],
  };
  return { api, actors, names, close: api.close };
};
