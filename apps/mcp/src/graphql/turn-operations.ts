/*
 * What hooks ask: turns to keep, and what a session or a prompt brings up.
 */

const ITEM = 'id title kind author isOwn at';

export const KEEP_TURNS = `mutation KeepTurns($input: KeepTurnsInput!) {
  keepTurns(input: $input) { kept { key isNew } refused { key code message } }
}`;

export const START_SESSION = `mutation StartSession($input: StartSessionInput!) {
  startSession(input: $input) {
    retrievalId projectName lastHereAt leftOut
    pinned { ${ITEM} } todos { ${ITEM} } userProfile { ${ITEM} } projectProfile { ${ITEM} } changed { ${ITEM} } relevant { ${ITEM} }
  }
}`;

export const INJECT_FOR_PROMPT = `mutation InjectForPrompt($input: InjectForPromptInput!) {
  injectForPrompt(input: $input) { retrievalId items { ${ITEM} } }
}`;
