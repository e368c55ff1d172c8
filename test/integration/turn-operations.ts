export interface TurnTarget {
  readonly conversationId: string;
}

interface NamedOperation {
  readonly document: string;
  readonly variables: (target: TurnTarget & { readonly projectSlug: string }) => Record<string, unknown>[];
}

/** What hooks call, with the name of a target's project. */
export const TURN_OPERATIONS: Readonly<Record<string, NamedOperation>> = {
  startSession: {
    document: `mutation ($project: String!) { startSession(input: { project: $project, sessionKey: "x", source: STARTUP }) {
      projectName pinned { id title } relevant { id title } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  injectForPrompt: {
    document: `mutation ($project: String!) { injectForPrompt(input: { project: $project, sessionKey: "x", promptKey: "p",
      prompt: "what is there" }) { items { id title } } }`,
    variables: (t) => [{ project: t.projectSlug }],
  },
  keepTurns: {
    document: `mutation ($project: String, $key: ID!) { keepTurns(input: { turns: [{ key: $key, project: $project,
      sessionKey: "x", promptKey: "p", at: "2026-01-01T00:00:00Z", prompt: "planted", answer: "", tools: [],
      client: "test" }] }) { kept { isNew } refused { code message } } }`,
    variables: (t) => [{ project: t.projectSlug, key: 'x' }],
  },
  distilNow: {
    document: 'mutation ($id: ID!) { distilNow(conversation: $id) { id } }',
    variables: (t) => [{ id: t.conversationId }],
  },
};
