/*
 * What a person does for the team from the command line: projects, invitations, tokens, logins.
 */

/** The caller's projects with what a list shows. */
export const LIST_PROJECTS = `
  query ListProjects($first: Int!, $after: String) {
    projects(first: $first, after: $after) {
      nodes { slug name remotes myRole createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Makes a project. */
export const CREATE_PROJECT = `
  mutation CreateProject($input: CreateProjectInput!) { createProject(input: $input) { slug name remotes myRole } }`;

/** Invites a person; the code is shown once. */
export const INVITE_USER = `
  mutation InviteUser($input: InviteUserInput!) { inviteUser(input: $input) { id code link expiresAt } }`;

/** A code for another machine of the caller's own. */
export const CREATE_LOGIN_CODE = `mutation CreateLoginCode { createLoginCode { code expiresAt } }`;

/** Issues a machine's token; its secret is shown once. */
export const ISSUE_TOKEN = `
  mutation IssueToken($input: IssueTokenInput!) {
    issueToken(input: $input) { secret token { id name scopes expiresAt } }
  }`;

/** The caller's tokens, an admin's view of all. */
export const LIST_TOKENS = `
  query ListTokens($first: Int!, $after: String) {
    tokens(first: $first, after: $after) {
      nodes { id name prefix scopes createdAt expiresAt lastUsedAt revokedAt user { displayName } }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Takes a token back. */
export const REVOKE_TOKEN = `mutation RevokeToken($id: ID!) { revokeToken(id: $id) { id name revokedAt } }`;

/** Logins of the caller, or of another person for an admin. */
export const LIST_SESSIONS = `
  query ListSessions($first: Int!, $after: String, $userId: ID) {
    sessions(first: $first, after: $after, userId: $userId) {
      nodes { id client kind current createdAt lastUsedAt expiresAt endedAt ended user { displayName } }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Ends a login from afar. */
export const END_SESSION = `mutation EndSession($id: ID!) { endSession(id: $id) { id client endedAt } }`;

/** What is kept and done, beside the quota. */
export const USAGE = `
  query Usage {
    usage {
      quota { memories bytes embeddingsPerDay userPointsPerMinute tenantPointsPerMinute }
      tenant { memories bytes embeddingsToday }
      projects { memories bytes project { slug } }
      users { memories bytes user { displayName } today { points captures retrievals } last30Days { points captures retrievals } }
    }
  }`;
