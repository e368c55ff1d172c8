/*
 * What the tools ask and capture; the client and the API's own MCP endpoint send the same. A contract test validates each
 * against the committed schema, with the variables that are really sent.
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

/** The projects that the caller may name. */
export const OWN_PROJECTS = `query OwnProjects($first: Int!) { projects(first: $first) { nodes { slug } } }`;
