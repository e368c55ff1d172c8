/*
 * Invitations after they were sent, and sign-ins of other providers.
 */

const INVITATION_FIELDS = `
  fragment InvitationFields on SentInvitation {
    id displayName email role project state createdAt expiresAt invitedBy { displayName }
  }`;

/** Invitations of the tenant. */
export const LIST_INVITATIONS = `
  query ListInvitations($first: Int!, $after: String) {
    invitations(first: $first, after: $after) { nodes { ...InvitationFields } pageInfo { hasNextPage endCursor } }
  }
  ${INVITATION_FIELDS}`;

/** Takes one back. */
export const REVOKE_INVITATION = `
  mutation RevokeInvitation($id: ID!) { revokeInvitation(id: $id) { ...InvitationFields } } ${INVITATION_FIELDS}`;

/** Linked sign-ins of a person. */
export const LIST_IDENTITIES = `
  query ListIdentities($first: Int!, $after: String, $userId: ID) {
    identities(first: $first, after: $after, userId: $userId) {
      nodes { id issuer subject createdAt lastUsedAt }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Unlinks one. */
export const UNLINK_IDENTITY = `mutation UnlinkIdentity($id: ID!) { unlinkIdentity(id: $id) { id } }`;

/** A short-lived token for the service's MCP endpoint, of this login. */
export const ISSUE_MCP_TOKEN = `mutation IssueMcpToken { issueMcpToken { accessToken accessExpiresAt } }`;
