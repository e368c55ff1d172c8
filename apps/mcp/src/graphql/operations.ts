/*
 * Every operation the client sends. A contract test validates each against the committed schema, with the variables that
 * the client really sends.
 */

const MEMORY_FIELDS = `
  fragment MemoryFields on Memory {
    id kind scope state stateReason refutedBy title text mine taskType outcome tags filesModified validity verification pinned
    expiresAt validTo revision proofCount createdAt updatedAt
    project { slug }
    group { slug }
    author { displayName }
    errorsResolved { error resolution }
    alternatives { approach whyNot revisitIf }
    utility { utility evidence helpfulWeight unhelpfulWeight foundHelpful helpfulPeople credit lent lentFrom fade retrievals }
  }`;

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

/** Searches and records the answer. */
export const RETRIEVE = `
  mutation Retrieve($input: RetrieveInput!) {
    retrieve(input: $input) {
      retrievalId searchedScopes emptyReason mode asOf note
      hits {
        place similarity score
        memory { ...MemoryFields }
        sessionMates { id title }
        explanation { cosine keyword relevance ownRelevance trust context contextPeople gain recency score placeWithoutLearning }
      }
    }
  }
  ${MEMORY_FIELDS}`;

/** What is worth knowing before a task. */
export const BRIEF = `
  query Brief($input: BriefInput!) {
    brief(input: $input) {
      retrievalId leftOut tokens searchedScopes
      correctionCategories { name count }
      items {
        part text why
        memory {
          id kind scope title mine verification proofCount createdAt
          project { slug } group { slug } author { displayName }
          utility { foundHelpful helpfulPeople }
        }
      }
    }
  }`;

/** One memory with its history and what is related. */
export const MEMORY = `
  query Memory($id: ID!) {
    memory(id: $id) {
      ...MemoryFields
      contributors { displayName }
      history { revision reason createdAt author { displayName } }
      related { kind weight memory { id title } }
    }
  }
  ${MEMORY_FIELDS}`;

/** The newest memories. */
export const MEMORIES = `
  query Memories($first: Int!, $filter: MemoryFilter) {
    memories(first: $first, filter: $filter) { totalCount nodes { ...MemoryFields } }
  }
  ${MEMORY_FIELDS}`;

/** Keeps a memory. */
export const CAPTURE = `
  mutation Capture($input: CaptureInput!) {
    capture(input: $input) {
      status sessionId
      memory { id title kind state stateReason scope revision proofCount expiresAt embeddingState project { slug } group { slug } }
      near { similarity differences memory { id title } }
      conflicts { similarity differences memory { id title } }
      superseded { similarity differences memory { id title } }
      proposal { id }
      redacted { type count }
    }
  }`;

/** Votes on memories. */
export const FEEDBACK = `
  mutation Feedback($input: FeedbackInput!) { feedback(input: $input) { recorded rejected { id reason } } }`;

/** Health of the memory. */
export const STATUS = `
  query Status($project: String) {
    status(project: $project) {
      project memories ownMemories sharedMemories awaitingEmbedding lastCaptureAt retrievals helpfulVotes
      unhelpfulVotes feedbackRate highValue neverRetrieved neverRetrievedShare stale conflicts proposals meanUtility advice
      lastRun { id runDate status requestedAt finishedAt failure report { credited sources hops touched residual converged } }
    }
  }`;
