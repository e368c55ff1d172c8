/*
 * Lists of ids alone, to find the one that begins with what a person typed.
 */

const PAGE = 'nodes { id } pageInfo { hasNextPage endCursor }';

export const TOKEN_IDS = `
  query TokenIds($first: Int!, $after: String) { tokens(first: $first, after: $after) { ${PAGE} } }`;

export const SESSION_IDS = `
  query SessionIds($first: Int!, $after: String, $userId: ID) {
    sessions(first: $first, after: $after, userId: $userId) { ${PAGE} }
  }`;

export const USER_IDS = `
  query UserIds($first: Int!, $after: String, $filter: UserFilter) {
    users(first: $first, after: $after, filter: $filter) { ${PAGE} }
  }`;

export const ERASURE_IDS = `
  query ErasureIds($first: Int!, $after: String) { erasures(first: $first, after: $after) { ${PAGE} } }`;

export const INVITATION_IDS = `
  query InvitationIds($first: Int!, $after: String) { invitations(first: $first, after: $after) { ${PAGE} } }`;

export const IDENTITY_IDS = `
  query IdentityIds($first: Int!, $after: String) { identities(first: $first, after: $after) { ${PAGE} } }`;

export const PROPOSAL_IDS = `
  query ProposalIds($first: Int!, $after: String) { proposals(first: $first, after: $after) { ${PAGE} } }`;

export const RUN_IDS = `
  query RunIds($first: Int!, $after: String) { maintenanceRuns(first: $first, after: $after) { ${PAGE} } }`;

export const TENANT_IDS = `
  query TenantIds($first: Int!, $after: String) { tenants(first: $first, after: $after) { ${PAGE} } }`;

export const RULE_IDS = `query RuleIds($project: String) { recallRules(project: $project) { id } }`;

export const OPERATOR_IDS = `query OperatorIds { operators { id } }`;
