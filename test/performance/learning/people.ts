import { createTenant, GraphQLClient, invite } from '../../support/graphql-client.js';
import { VOTERS } from './halves.js';

/** Personal access tokens of everybody: they hold on each clone of the database, as long as the keys are the same. */
export interface PeopleTokens {
  readonly owner: string;
  readonly author: string;
  readonly voters: readonly string[];
}

/** Everybody, as machines that work with their tokens. */
export interface People {
  readonly owner: GraphQLClient;
  readonly author: GraphQLClient;
  readonly voters: readonly GraphQLClient[];
}

const ADD_MEMBER = 'mutation ($input: AddMemberInput!) { addMember(input: $input) { role } }';
const ISSUE = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { secret } }';

const tokenOf = async (person: GraphQLClient, scopes: readonly string[]): Promise<string> =>
  (await person.send<{ issueToken: { secret: string } }>(ISSUE, { input: { name: 'bench', scopes } })).issueToken
    .secret;

/** Makes a tenant with ten voters and an eleventh who captures, all of them members of its projects. */
export const settlePeople = async (
  operator: GraphQLClient,
  name: string,
  makeProjects: (owner: GraphQLClient) => Promise<readonly string[]>,
): Promise<PeopleTokens> => {
  const owner = await createTenant(operator, name);
  const projects = await makeProjects(owner);
  const join = async (displayName: string): Promise<GraphQLClient> => {
    const person = await invite(owner, { displayName });
    const { me } = await person.send<{ me: { user: { id: string } } }>('query { me { user { id } } }');
    for (const project of projects) await owner.send(ADD_MEMBER, { input: { project, userId: me.user.id } });
    return person;
  };
  const author = await tokenOf(await join('Ada Author'), ['READ', 'WRITE']);
  const voters: string[] = [];
  for (let voter = 0; voter < VOTERS; voter += 1)
    voters.push(await tokenOf(await join(`Voter ${voter}`), ['READ', 'WRITE']));
  return { owner: await tokenOf(owner, ['READ', 'WRITE', 'ADMIN']), author, voters };
};

const EXCHANGE = 'mutation ($token: String!) { exchangeToken(token: $token) { accessToken accessExpiresAt } }';

/** A machine that trades its token for access, anew whenever that is about to end. */
export const machineWith = (url: string, token: string): GraphQLClient => {
  const anonymous = new GraphQLClient(url);
  let access: Promise<{ accessToken: string; accessExpiresAt: string }> | undefined;
  const exchange = async (): Promise<{ accessToken: string; accessExpiresAt: string }> =>
    (await anonymous.send<{ exchangeToken: { accessToken: string; accessExpiresAt: string } }>(EXCHANGE, { token }))
      .exchangeToken;
  return new GraphQLClient(url, async () => {
    const held = await access;
    if (held === undefined || Date.parse(held.accessExpiresAt) - Date.now() < 60_000) access = exchange();
    return (await access)?.accessToken;
  });
};

export const peopleAt = (url: string, tokens: PeopleTokens): People => ({
  owner: machineWith(url, tokens.owner),
  author: machineWith(url, tokens.author),
  voters: tokens.voters.map((token) => machineWith(url, token)),
});
