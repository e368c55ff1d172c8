import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { GraphQLClient, logIn, machineOf, RefusedError } from '../support/graphql-client.js';
import { OPERATORS, PUBLIC } from '../support/open-operations.js';
import { reachedBy, type SchemaPath, schemaPaths } from '../support/schema-paths.js';
import { readSchema } from '../support/schema-walk.js';
import { capture, type MemoryWorld, openMemoryWorld, retrieve } from './memory-world.js';

const paths = schemaPaths(readSchema());
const SECRET_WORD = 'zirconium';
const EMAIL = 'dan.hidden@example.test';

let world: MemoryWorld;
let dan: GraphQLClient;
let ids: Record<'dan' | 'memory' | 'secret', string>;

beforeAll(async () => {
  world = await openMemoryWorld();
  const { inviteUser } = await world.owner.send<{ inviteUser: { code: string } }>(
    'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { code } }',
    { input: { displayName: 'Dan', email: EMAIL, project: 'shop', projectRole: 'MAINTAINER' } },
  );
  dan = await logIn(world.api.url, inviteUser.code);
  const shared = { scope: 'PROJECT', project: 'shop', merge: 'NEVER', sessionKey: 's' };
  const first = await capture(dan, { ...shared, text: 'The heron server is rebooted on Mondays by hand.' });
  await capture(dan, { ...shared, text: 'The heron server is rebooted on Mondays, by the hand of Dan.' });
  const secret = await capture(dan, { text: `Heron server: my own password is ${SECRET_WORD}.`, scope: 'PRIVATE' });
  const { me } = await dan.send<{ me: { user: { id: string } } }>('{ me { user { id } } }');
  ids = { dan: me.user.id, memory: first.memory.id, secret: secret.memory.id };
  await retrieve(world.ada, 'heron server');
});
afterAll(() => world.close());

/** Arguments with which a colleague's way leads to something. */
const real = (root: string): Record<string, unknown> => {
  const all: Readonly<Record<string, Record<string, unknown>>> = {
    memory: { id: ids.memory },
    project: { slug: 'shop' },
    sessions: { first: 50, userId: null },
    capture: { input: { text: 'The heron server is rebooted on Mondays.', scope: 'PROJECT', project: 'shop' } },
    captureMany: { inputs: [{ text: 'The heron server was rebooted.', scope: 'PROJECT', project: 'shop' }] },
    retrieve: { input: { query: `heron server ${SECRET_WORD}` } },
    feedback: { input: { memoryIds: [ids.memory, ids.secret], helpful: true } },
    addMember: { input: { project: 'shop', userId: ids.dan } },
    endSession: { id: ids.dan },
    revokeToken: { id: ids.dan },
  };
  return all[root] ?? {};
};

interface Answer {
  readonly data: unknown;
  /** What a refusal says, without what differs from request to request. */
  readonly refusal: string | undefined;
}

const ask = async (client: GraphQLClient, path: SchemaPath, leaves: string): Promise<Answer> => {
  const { document, variables } = path.asking(leaves);
  const given = { ...variables, ...('first' in variables ? { first: 10 } : {}), ...real(path.fields[0] ?? '') };
  try {
    return { data: await client.send(document, given), refusal: undefined };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { data: undefined, refusal: `${error.message} ${error.reason}` };
  }
};

const rootOf = ({ fields }: SchemaPath): string => fields[0] ?? '';
const shown = ({ fields }: SchemaPath): string => fields.join('.');

/** What each of these ways is answered: one and the same refusal, or the list of those that are not. */
const refusals = async (client: GraphQLClient, ways: readonly SchemaPath[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  for (const path of ways) {
    const { refusal = 'DATA' } = await ask(client, path, '__typename');
    // Some ways are dearer than any request may be, for whoever asks: their cost is said before anything else.
    if (refusal.endsWith('query-cost')) continue;
    found.set(refusal, [...(found.get(refusal) ?? []), shown(path)]);
  }
  return found;
};

const NOT_LOGGED_IN = 'UNAUTHENTICATED: Log in first: there is no valid access token. not-logged-in';

describe('attack 3.7: a guarded thing by every path of the schema', () => {
  it('is refused alike without a token, to operators, and to people where it is the operators’', async () => {
    const closed = paths.filter((path) => !PUBLIC.includes(rootOf(path)));
    const [operators, people] = [true, false].map((theirs) =>
      closed.filter((path) => OPERATORS.includes(rootOf(path)) === theirs),
    );
    const askers: [GraphQLClient, readonly SchemaPath[]][] = [
      [new GraphQLClient(world.api.url), closed],
      [await world.api.operator(), people ?? []],
      [world.owner, operators ?? []],
    ];
    let attempts = 0;
    for (const [client, ways] of askers) {
      const found = await refusals(client, ways);
      attempts += ways.length;
      expect([...found].filter(([refusal]) => refusal !== NOT_LOGGED_IN)).toEqual([]);
    }
    reportAttack(
      '3.7',
      attempts,
      { accepted: 0 },
      `${paths.length} paths to ${new Set(paths.map((p) => p.type)).size} types`,
    );
    expect(paths.length).toBeGreaterThan(200);
  }, 240_000);

  it('is refused alike to a machine without the scope, however deep the document', async () => {
    const machine = await machineOf(world.ada, ['WRITE']);
    const reading = paths.filter((path) => ['memories', 'memory', 'me', 'projects', 'retrieve'].includes(rootOf(path)));
    const found = await refusals(machine, reading);
    reportAttack('3.7', reading.length, { accepted: found.has('DATA') ? 1 : 0 }, 'a machine that may only write');
    expect([...found.keys()]).toEqual(['FORBIDDEN: This token does not have the scope read. insufficient_scope']);
  }, 240_000);

  it('shows nobody what of a colleague is for admins, by whichever way the colleague is reached', async () => {
    const [leaks, ways]: [string[], Set<string>] = [[], new Set()];
    const toPeople = paths.filter(({ type }) => type === 'User' && !OPERATORS.includes(type));
    for (const path of toPeople) {
      const { data } = await ask(world.ada, path, 'id email role createdAt');
      for (const user of reachedBy(data, path.fields)) {
        if (user['id'] !== ids.dan) continue;
        ways.add(shown(path));
        if (user['email'] !== null || user['role'] !== null || user['createdAt'] !== null) leaks.push(shown(path));
      }
    }
    reportAttack('3.7', toPeople.length, { leaks: leaks.length }, `a colleague, reached by ${ways.size} paths`);
    expect(leaks).toEqual([]);
    expect(ways.size).toBeGreaterThan(5);
    expect(JSON.stringify(await world.owner.send('{ users(first: 50) { nodes { email } } }'))).toContain(EMAIL);
  }, 240_000);

  it('shows nobody a private memory of a colleague, by whichever way memories are reached', async () => {
    const [leaks, ways]: [string[], Set<string>] = [[], new Set()];
    const toMemories = paths.filter(({ type }) => type === 'Memory' || type === 'Revision' || type === 'NearMemory');
    for (const path of toMemories) {
      const leaves = path.type === 'Memory' ? 'id text title' : '__typename';
      for (const asker of [world.ada, world.owner]) {
        const { data, refusal } = await ask(asker, path, leaves);
        const reached = reachedBy(data, path.fields);
        if (reached.some((memory) => memory['id'] === ids.memory)) ways.add(shown(path));
        const isTold = JSON.stringify([data, refusal]).includes(SECRET_WORD);
        if (isTold || reached.some((memory) => memory['id'] === ids.secret)) leaks.push(shown(path));
      }
    }
    const isPlanted = (
      await dan.send<{ memory: { text: string } }>('query ($id: ID!) { memory(id: $id) { text } }', {
        id: ids.secret,
      })
    ).memory.text.includes(SECRET_WORD);
    reportAttack('3.7', 2 * toMemories.length, { leaks: leaks.length }, `a secret among memories, ${ways.size} paths`);
    expect(leaks).toEqual([]);
    expect(isPlanted).toBe(true);
    expect(ways.size).toBeGreaterThan(1);
  }, 240_000);
});
