/*
 * Who sees a memory: sharing, proposals, groups of projects.
 */
import { PLACE_FIELDS } from '@tempera/client-kit';

export { SHARE_MEMORY } from '@tempera/client-kit';

const PROPOSAL_FIELDS = `
  fragment ProposalFields on Proposal {
    id memoryId state reason revision createdAt decidedAt
    proposer { displayName }
    decidedBy { displayName }
    to { scope project { slug } group { slug } }
    content { title text tags filesModified errorsResolved { error resolution } alternatives { approach whyNot revisitIf } }
  }`;

/** Shows a memory to fewer people. */
export const DEMOTE_MEMORY = `
  mutation DemoteMemory($input: AudienceInput!) { demoteMemory(input: $input) { ...PlaceFields } } ${PLACE_FIELDS}`;

/** Gives a memory to another person. */
export const TRANSFER_MEMORY = `
  mutation TransferMemory($memoryId: ID!, $userId: ID!) {
    transferMemory(memoryId: $memoryId, userId: $userId) { ...PlaceFields }
  }
  ${PLACE_FIELDS}`;

/** Who saw a memory when. */
export const AUDIENCE_CHANGES = `
  query AudienceChanges($id: ID!) {
    memory(id: $id) { id audienceChanges { id number action undoneBy } }
  }`;

/** Takes the latest change of a memory's audience back. */
export const UNDO_AUDIENCE_CHANGE = `
  mutation UndoAudienceChange($id: ID!) { undoAudienceChange(id: $id) { ...PlaceFields } } ${PLACE_FIELDS}`;

/** Proposals of the caller, and those that the caller decides. */
export const PROPOSALS = `
  query Proposals($first: Int!, $after: String, $filter: ProposalFilter) {
    proposals(first: $first, after: $after, filter: $filter) {
      nodes { ...ProposalFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${PROPOSAL_FIELDS}`;

/** Shares the proposed memory. */
export const APPROVE_PROPOSAL = `
  mutation ApproveProposal($id: ID!) { approveProposal(id: $id) { ...ProposalFields } } ${PROPOSAL_FIELDS}`;

/** Leaves the proposed memory where it is. */
export const DECLINE_PROPOSAL = `
  mutation DeclineProposal($id: ID!, $reason: String!) {
    declineProposal(id: $id, reason: $reason) { ...ProposalFields }
  }
  ${PROPOSAL_FIELDS}`;

/** Takes a proposal of the caller back. */
export const WITHDRAW_PROPOSAL = `
  mutation WithdrawProposal($id: ID!) { withdrawProposal(id: $id) { ...ProposalFields } } ${PROPOSAL_FIELDS}`;

const GROUP_FIELDS = `fragment GroupFields on Group { id slug name createdAt projects { slug } }`;

/** Groups of the caller's projects. */
export const LIST_GROUPS = `
  query ListGroups($first: Int!, $after: String) {
    groups(first: $first, after: $after) {
      nodes { ...GroupFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${GROUP_FIELDS}`;

/** Makes a group. */
export const CREATE_GROUP = `
  mutation CreateGroup($input: CreateGroupInput!) { createGroup(input: $input) { ...GroupFields } } ${GROUP_FIELDS}`;

/** Changes name or slug of a group. */
export const UPDATE_GROUP = `
  mutation UpdateGroup($group: String!, $input: UpdateGroupInput!) {
    updateGroup(group: $group, input: $input) { ...GroupFields }
  }
  ${GROUP_FIELDS}`;

/** Lets a project into a group. */
export const ADD_PROJECT_TO_GROUP = `
  mutation AddProjectToGroup($group: String!, $project: String!) {
    addProjectToGroup(group: $group, project: $project) { ...GroupFields }
  }
  ${GROUP_FIELDS}`;

/** Puts a project out of a group. */
export const REMOVE_PROJECT_FROM_GROUP = `
  mutation RemoveProjectFromGroup($group: String!, $project: String!, $moveBack: Boolean!) {
    removeProjectFromGroup(group: $group, project: $project, moveBack: $moveBack) { ...GroupFields }
  }
  ${GROUP_FIELDS}`;

/** Deletes a group. */
export const DELETE_GROUP = `
  mutation DeleteGroup($group: String!, $moveBack: Boolean!) {
    deleteGroup(group: $group, moveBack: $moveBack) { ...GroupFields }
  }
  ${GROUP_FIELDS}`;
