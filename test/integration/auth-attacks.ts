import { randomUUID } from 'node:crypto';
import { createOperatorCode } from '../../prisma/operator-code.js';
import type { TestApi } from '../support/api.js';
import { asSuperuser } from '../support/cluster.js';
import {
  createTenant,
  GraphQLClient,
  invitationCode,
  invite,
  logInOperator,
  machineOf,
  RefusedError,
} from '../support/graphql-client.js';
import { OPERATORS, PUBLIC } from '../support/open-operations.js';
import { operations, readSchema } from '../support/schema-walk.js';
import { claimZoo, tokenZoo } from './token-zoo.js';

/** One service under attack, with a clock that can be put forward. */
export interface Scene {
  readonly api: TestApi;
  readonly owner: GraphQLClient;
  readonly ahead: (ms: number) => void;
}

const ME = '{ me { user { id } } }';
const HEALTH = '{ instanceHealth { __typename } }';
const SESSION = 'accessToken refreshToken';
interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}
/** A little more than what was said of a session may be reused. */
const CACHE_MS = 5_001;

const asking = ({ api }: Scene, token: string): GraphQLClient =>
  new GraphQLClient(api.url, () => Promise.resolve(token));

/** Whether a request got in at all, whatever became of it there. */
const isIn = async (client: GraphQLClient, query = ME, variables: Record<string, unknown> = {}): Promise<boolean> => {
  try {
    await client.send(query, variables);
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return error.code !== 'UNAUTHENTICATED';
  }
};

const login = async (scene: Scene, displayName: string): Promise<Pair> => {
  const code = await invitationCode(scene.owner, { displayName });
  const query = `mutation ($code: String!) { login(input: { code: $code }) { ${SESSION} } }`;
  return (await new GraphQLClient(scene.api.url).send<{ login: Pair }>(query, { code })).login;
};

const refresh = async ({ api }: Scene, refreshToken: string): Promise<Pair> => {
  const query = `mutation ($t: String!) { refresh(input: { refreshToken: $t }) { ${SESSION} } }`;
  return (await new GraphQLClient(api.url).send<{ refresh: Pair }>(query, { t: refreshToken })).refresh;
};

/** Attacks 2.1 and 2.2, until one animal of the zoo gets in. */
const tokens = async (scene: Scene): Promise<string[]> => {
  const [first, second] = [await login(scene, 'Anna'), await login(scene, 'Ben')];
  const { tokenIssuer: issuer, tokenAudience: audience } = scene.api.settings;
  const good = {
    ...{ token: first.accessToken, issuer, audience, keys: scene.api.keys, otherToken: second.accessToken },
    ...{ refreshToken: first.refreshToken, personalToken: 'x', operatorToken: 'x', strangerToken: 'x' },
  };
  if (!(await isIn(asking(scene, good.token)))) return ['the good token is refused'];
  for (const [name, token] of [...claimZoo(good), ...tokenZoo(good)]) {
    const isHeader = /^[\x21-\x7e]+$/.test(token);
    if (isHeader && (await isIn(asking(scene, token)))) return [name];
  }
  return [];
};

/** Attack 2.8. */
const reuse = async (scene: Scene): Promise<string[]> => {
  const first = await login(scene, 'Emil');
  const second = await refresh(scene, first.refreshToken);
  const third = await refresh(scene, second.refreshToken);
  const again = await refresh(scene, first.refreshToken).catch(() => undefined);
  const isAlive = await isIn(asking(scene, third.accessToken));
  return [...(again === undefined ? [] : ['an old token']), ...(isAlive ? ['the family'] : [])];
};

const superuser = ({ api }: Scene, sql: string): Promise<unknown> =>
  asSuperuser(api.database.adminUrl, (client) => client.query(sql));

/** Who gets in though what let him in has ended (attack 2.10). */
const ended = async (scene: Scene): Promise<string[]> => {
  const { api } = scene;
  const found: string[] = [];
  const by = await api.operator();
  const [tenant, other] = [await createTenant(by, 'Brief'), await createTenant(by, 'Suspended')];
  const name = `gone ${randomUUID()}`;
  const persons = {
    'ended from outside': `update login_session s set revoked_at = now() from app_user u where u.id = s.user_id and u.display_name = 'ended from outside'`,
    removed: `update app_user set status = 'removed' where display_name = 'removed'`,
    suspended: `update tenant set status = 'suspended' where name = 'Suspended'`,
  };
  const machine = await machineOf(scene.owner);
  const { issueToken } = await scene.owner.send<{ issueToken: { secret: string; token: { id: string } } }>(
    'mutation { issueToken(input: { name: "x" }) { secret token { id } } }',
  );
  const operator = await logInOperator(api.url, await createOperatorCode(api.database.urls.migrator, name));
  await operator.send(HEALTH);
  const clients = new Map<string, GraphQLClient>();
  for (const displayName of Object.keys(persons)) {
    const client = await invite(displayName === 'suspended' ? other : tenant, { displayName });
    await client.send(ME);
    clients.set(displayName, client);
  }
  for (const sql of Object.values(persons)) await superuser(scene, sql);
  await superuser(scene, `update operator set disabled_at = now() where name = '${name}'`);
  await scene.owner.send('mutation ($id: ID!) { revokeToken(id: $id) { id } }', issueToken.token);
  scene.ahead(CACHE_MS);
  for (const [name, client] of clients) if (await isIn(client)) found.push(name);
  const EXCHANGE = 'mutation ($token: String!) { exchangeToken(token: $token) { accessToken } }';
  if (await isIn(new GraphQLClient(api.url), EXCHANGE, { token: issueToken.secret })) found.push('a revoked token');
  if (await isIn(operator, HEALTH)) found.push('a disabled operator');
  if (!(await isIn(machine))) found.push('a good machine is kept out');
  scene.ahead(0);
  return found;
};

/** Attack 2.16. */
const scopes = async (scene: Scene): Promise<string[]> => {
  const machine = await machineOf(scene.owner, ['READ']);
  const outcome = await machine.send('mutation { capture(input: { text: "smuggled" }) { status } }').then(
    () => 'through',
    (error: unknown) => (error instanceof RefusedError ? error.reason : String(error)),
  );
  return outcome === 'insufficient_scope' ? [] : [`a reader that writes: ${outcome}`];
};

/** Attack 2.17: nobody, and an owner at the operators' operations. */
const closed = async (scene: Scene): Promise<string[]> => {
  const found: string[] = [];
  const nobody = new GraphQLClient(scene.api.url);
  for (const { name, document, variables } of operations(readSchema())) {
    if (!PUBLIC.includes(name) && (await isIn(nobody, document, { ...variables }))) found.push(`nobody: ${name}`);
    if (OPERATORS.includes(name) && (await isIn(scene.owner, document, { ...variables }))) found.push(`owner: ${name}`);
  }
  return found;
};

/** A member does what is for admins. */
const roles = async (scene: Scene): Promise<string[]> => {
  const member = await invite(scene.owner, { displayName: 'Max' });
  const INVITE = 'mutation { inviteUser(input: { displayName: "Mole", role: ADMIN }) { code } }';
  const outcome = await member.send(INVITE).then(
    () => 'through',
    (error: unknown) => (error instanceof RefusedError ? error.code : String(error)),
  );
  return outcome === 'FORBIDDEN' ? [] : [`a member invites: ${outcome}`];
};

/** A one-time code used twice, and one that is too old. */
const codes = async (scene: Scene): Promise<string[]> => {
  const LOGIN = 'mutation ($code: String!) { login(input: { code: $code }) { accessToken } }';
  const nobody = new GraphQLClient(scene.api.url);
  const [code, old] = [
    await invitationCode(scene.owner, { displayName: 'Once' }),
    await invitationCode(scene.owner, { displayName: 'Old' }),
  ];
  await superuser(scene, `update invitation set expires_at = now() - interval '1 minute' where display_name = 'Old'`);
  await nobody.send(LOGIN, { code });
  return [
    ...((await isIn(nobody, LOGIN, { code })) ? ['a used code'] : []),
    ...((await isIn(nobody, LOGIN, { code: old })) ? ['an old code'] : []),
  ];
};

/** The attacks on sign-in in a short form; each says what it found. */
export const authAttacks = { tokens, reuse, ended, scopes, closed, roles, codes } as const;

/** Name of such an attack. */
export type AuthAttackName = keyof typeof authAttacks;
