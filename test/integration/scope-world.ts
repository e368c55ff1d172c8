import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, invite } from '../support/graphql-client.js';
import { capture } from './memory-world.js';

/** A tenant with two projects and people of every standing to them. */
export interface ScopeWorld {
  readonly api: TestApi;
  /** Owns the tenant; made and maintains shop and pay. */
  readonly owner: GraphQLClient;
  /** Maintains shop. */
  readonly mia: GraphQLClient;
  /** Contribute to shop. */
  readonly ada: GraphQLClient;
  readonly ben: GraphQLClient;
  /** Reads pay. */
  readonly rea: GraphQLClient;
  /** Is in no project. */
  readonly cleo: GraphQLClient;
  /** An admin in no project. */
  readonly boss: GraphQLClient;
}

export const openScopeWorld = async (): Promise<ScopeWorld> => {
  const api = await startTestApi();
  const owner = await createTenant(await api.operator(), 'Acme');
  for (const slug of ['shop', 'pay']) {
    await owner.send('mutation ($s: String!) { createProject(input: { slug: $s, name: $s }) { id } }', { s: slug });
  }
  return {
    api,
    owner,
    mia: await invite(owner, { displayName: 'Mia', project: 'shop', projectRole: 'MAINTAINER' }),
    ada: await invite(owner, { displayName: 'Ada', project: 'shop', projectRole: 'CONTRIBUTOR' }),
    ben: await invite(owner, { displayName: 'Ben', project: 'shop', projectRole: 'CONTRIBUTOR' }),
    rea: await invite(owner, { displayName: 'Rea', project: 'pay', projectRole: 'READER' }),
    cleo: await invite(owner, { displayName: 'Cleo' }),
    boss: await invite(owner, { displayName: 'Boss', role: 'ADMIN' }),
  };
};

export interface Proposal {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly content: { readonly text: string; readonly tags: string[] } | null;
  readonly to: { readonly scope: string; readonly project: { readonly slug: string } | null };
  readonly proposer: { readonly displayName: string };
}
export interface Moved {
  readonly id: string;
  readonly scope: string;
  readonly project: { readonly slug: string } | null;
  readonly group: { readonly slug: string } | null;
  readonly audienceChanges: readonly {
    readonly id: string;
    readonly action: string;
    readonly undoneBy: string | null;
    readonly actor: { readonly displayName: string } | null;
    readonly from: { readonly scope: string };
    readonly to: { readonly scope: string; readonly group: { readonly slug: string } | null };
  }[];
}
type Arguments = Readonly<Record<string, unknown>>;

export const MOVED = `id scope project { slug } group { slug }
  audienceChanges { id action undoneBy actor { displayName } from { scope } to { scope group { slug } } }`;
export const PROPOSAL = `id state reason content { text tags } to { scope project { slug } } proposer { displayName }`;
export const SHARE = `mutation ($input: AudienceInput!) { shareMemory(input: $input) { memory { ${MOVED} } proposal { ${PROPOSAL} } } }`;
export const DEMOTE = `mutation ($input: AudienceInput!) { demoteMemory(input: $input) { ${MOVED} } }`;
export const UNDO = `mutation ($id: ID!) { undoAudienceChange(id: $id) { ${MOVED} } }`;
export const TRANSFER = `mutation ($memoryId: ID!, $userId: ID!) { transferMemory(memoryId: $memoryId, userId: $userId) { ${MOVED} } }`;
export const decide = (verb: string, more = ''): string =>
  `mutation ($id: ID!) { ${verb}Proposal(id: $id${more}) { ${PROPOSAL} } }`;

export const share = async (
  who: GraphQLClient,
  input: Arguments,
): Promise<{ memory: Moved; proposal: Proposal | null }> =>
  (await who.send<{ shareMemory: { memory: Moved; proposal: Proposal | null } }>(SHARE, { input })).shareMemory;
export const demote = async (who: GraphQLClient, input: Arguments): Promise<Moved> =>
  (await who.send<{ demoteMemory: Moved }>(DEMOTE, { input })).demoteMemory;
export const proposals = async (who: GraphQLClient, filter: Arguments = {}): Promise<Proposal[]> =>
  (
    await who.send<{ proposals: { nodes: Proposal[] } }>(
      `query ($filter: ProposalFilter) { proposals(first: 50, filter: $filter) { nodes { ${PROPOSAL} } } }`,
      { filter },
    )
  ).proposals.nodes;
export const seesIt = async (who: GraphQLClient, id: string): Promise<boolean> =>
  who.send('query ($id: ID!) { memory(id: $id) { id } }', { id }).then(
    () => true,
    () => false,
  );
export const makeGroup = (who: GraphQLClient, slug: string, projects: readonly string[]): Promise<unknown> =>
  who.send('mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }', {
    input: { slug, name: slug, projects },
  });
export const keep = async (who: GraphQLClient, text: string, more: Arguments = {}): Promise<string> =>
  (await capture(who, { text, project: 'shop', scope: 'PRIVATE', merge: 'NEVER', ...more })).memory.id;
