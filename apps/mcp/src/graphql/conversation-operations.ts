/*
 * What came of conversations with clients.
 */

const CONVERSATION_FIELDS = `
  fragment ConversationFields on Conversation {
    id project client lastTurnAt turns state summary kept refused { reason count }
    facts { kind content evidence status reason memoryId }
  }`;

/** The caller's own, the latest first. */
export const LIST_CONVERSATIONS = `
  query ListConversations($first: Int!, $after: String) {
    conversations(first: $first, after: $after) { nodes { ...ConversationFields } pageInfo { hasNextPage endCursor } }
  }
  ${CONVERSATION_FIELDS}`;

/** Their ids alone. */
export const CONVERSATION_IDS = `
  query ConversationIds($first: Int!, $after: String) {
    conversations(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;

/** Has one distilled at once. */
export const DISTIL_NOW = `
  mutation DistilNow($id: ID!) { distilNow(conversation: $id) { ...ConversationFields } } ${CONVERSATION_FIELDS}`;
