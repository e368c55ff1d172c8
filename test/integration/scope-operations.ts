import type { GraphQLClient } from '../support/graphql-client.js';

/** What the operations on groups, audiences, proposals and encoders are given: names of others' things. */
export interface ScopeTarget {
  readonly memoryIds: readonly string[];
  readonly projectSlug: string;
  readonly groupSlug: string;
  readonly userId: string;
  readonly proposalId: string;
  readonly changeId: string;
  readonly encoderChangeId: string;
}

interface NamedOperation {
  readonly document: string;
  readonly variables: (target: ScopeTarget) => Record<string, unknown>[];
}

const ofGroup = (document: string): NamedOperation => ({
  document,
  variables: (t) => [{ group: t.groupSlug, project: t.projectSlug }],
});
const ofProposal = (verb: string, more = ''): NamedOperation => ({
  document: `mutation ($id: ID!) { ${verb}Proposal(id: $id${more}) { id state } }`,
  variables: (t) => [{ id: t.proposalId }],
});
const ofMemory = (verb: string, answer: string, scope: string): NamedOperation => ({
  document: `mutation ($input: AudienceInput!) { ${verb}Memory(input: $input) { ${answer} } }`,
  variables: (t) => [
    ...t.memoryIds.map((memoryId) => ({ input: { memoryId, scope } })),
    ...t.memoryIds.map((memoryId) => ({
      input: { memoryId, scope: 'GROUP', project: t.projectSlug, group: t.groupSlug },
    })),
  ],
});

/** By name: each with what it takes. */
export const SCOPE_OPERATIONS: Readonly<Record<string, NamedOperation>> = {
  group: ofGroup('query ($group: String!) { group(slug: $group) { id slug projects { slug } } }'),
  createGroup: ofGroup(
    'mutation ($project: String!) { createGroup(input: { slug: "mole", name: "m", projects: [$project] }) { id } }',
  ),
  updateGroup: ofGroup('mutation ($group: String!) { updateGroup(group: $group, input: { name: "Mine" }) { id } }'),
  addProjectToGroup: ofGroup(
    'mutation ($group: String!, $project: String!) { addProjectToGroup(group: $group, project: $project) { id } }',
  ),
  removeProjectFromGroup: ofGroup(
    'mutation ($group: String!, $project: String!) { removeProjectFromGroup(group: $group, project: $project) { id } }',
  ),
  deleteGroup: ofGroup('mutation ($group: String!) { deleteGroup(group: $group, moveBack: true) { id } }'),
  shareMemory: ofMemory('share', 'memory { text }', 'TENANT'),
  demoteMemory: ofMemory('demote', 'text', 'PRIVATE'),
  transferMemory: {
    document:
      'mutation ($memoryId: ID!, $userId: ID!) { transferMemory(memoryId: $memoryId, userId: $userId) { text } }',
    variables: (t) => t.memoryIds.map((memoryId) => ({ memoryId, userId: t.userId })),
  },
  cancelEncoderChange: {
    document: 'mutation ($id: ID!) { cancelEncoderChange(id: $id) { id status } }',
    variables: (t) => [{ id: t.encoderChangeId }],
  },
  undoAudienceChange: {
    document: 'mutation ($id: ID!) { undoAudienceChange(id: $id) { text } }',
    variables: (t) => [{ id: t.changeId }],
  },
  proposals: {
    document:
      'query ($project: String) { proposals(first: 50, filter: { project: $project }) { nodes { content { text } } } }',
    variables: (t) => [{ project: t.projectSlug }],
  },
  approveProposal: ofProposal('approve'),
  declineProposal: ofProposal('decline', ', reason: "no"'),
  withdrawProposal: ofProposal('withdraw'),
};

const SHARE = 'mutation ($input: AudienceInput!) { shareMemory(input: $input) { proposal { id } } }';

/** A group, a change that a colleague could try to undo, and a proposal that he could try to decide. */
export const furnishScopes = async (
  owner: GraphQLClient,
  author: GraphQLClient,
  slug: string,
  [, own, note]: readonly string[],
): Promise<Pick<ScopeTarget, 'groupSlug' | 'changeId' | 'proposalId'>> => {
  await owner.send(
    'mutation ($slug: String!) { createGroup(input: { slug: $slug, name: "G", projects: [$slug] }) { id } }',
    { slug },
  );
  await author.send(SHARE, { input: { memoryId: own, scope: 'PROJECT' } });
  const { demoteMemory } = await author.send<{ demoteMemory: { audienceChanges: { id: string }[] } }>(
    'mutation ($input: AudienceInput!) { demoteMemory(input: $input) { audienceChanges { id } } }',
    { input: { memoryId: own, scope: 'PRIVATE' } },
  );
  const { shareMemory } = await author.send<{ shareMemory: { proposal: { id: string } } }>(SHARE, {
    input: { memoryId: note, scope: 'TENANT' },
  });
  return { groupSlug: slug, changeId: demoteMemory.audienceChanges[0]?.id ?? '', proposalId: shareMemory.proposal.id };
};
