/*
 * Every operation the client sends. A contract test validates each against the committed schema, with the variables that
 * the client really sends.
 */
export { BRIEF, CAPTURE, FEEDBACK, MEMORIES, MEMORY, RETRIEVE, STATUS } from '@tempera/client-kit';

const SESSION_FIELDS = `
  fragment SessionFields on Session {
    accessToken accessExpiresAt refreshToken refreshExpiresAt
    user { id displayName role }
    tenant { id name }
  }`;

/** Redeems a one-time code. */
export const LOGIN = `mutation Login($input: LoginInput!) { login(input: $input) { ...SessionFields } } ${SESSION_FIELDS}`;

/** Trades a refresh token for a fresh pair. */
export const REFRESH = `mutation Refresh($input: RefreshInput!) { refresh(input: $input) { ...SessionFields } } ${SESSION_FIELDS}`;

/** Trades a personal access token for a short-lived access token. */
export const EXCHANGE_TOKEN = `
  mutation ExchangeToken($token: String!) { exchangeToken(token: $token) { accessToken accessExpiresAt } }`;

/** Ends the caller's session, or all of them. */
export const LOGOUT = `mutation Logout($everywhere: Boolean!) { logout(everywhere: $everywhere) { sessionsEnded } }`;

/** Who the login speaks for. */
export const ME = `
  query Me {
    me {
      user { id displayName role }
      tenant { id name }
      memberships { role project { slug name } }
    }
  }`;

const DEVICE_FIELDS = 'userCode client address createdAt';

/** The device that waits under a code. */
export const DEVICE = `query Device($userCode: String!) { device(userCode: $userCode) { ${DEVICE_FIELDS} } }`;

/** Lets it in as the caller. */
export const APPROVE_DEVICE = `
  mutation ApproveDevice($userCode: String!) { approveDevice(userCode: $userCode) { ${DEVICE_FIELDS} } }`;

/** Sends it away. */
export const DENY_DEVICE = `
  mutation DenyDevice($userCode: String!) { denyDevice(userCode: $userCode) { ${DEVICE_FIELDS} } }`;

/** The caller's projects, to find the one of a folder. */
export const PROJECTS = `
  query Projects($first: Int!, $after: String) {
    projects(first: $first, after: $after) {
      nodes { slug name remotes myRole }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** What the service is; needs no login. */
export const SERVICE = `query Service { service { version encoders { name ready detail } maxTextBytes maxPageSize } }`;
