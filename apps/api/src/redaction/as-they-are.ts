/**
 * Arguments that are taken as they are, by `Type.field` or `Type.field.argument`, and why. Every other String that comes in is redacted, also
 * one that is added tomorrow.
 */
export const AS_THEY_ARE: Readonly<Record<string, string>> = {
  'LoginInput.code': 'a secret of ours that is looked up by its hash and never kept',
  'RefreshInput.refreshToken': 'a secret of ours that is looked up by its hash and never kept',
  'Mutation.exchangeToken.token': 'a secret of ours that is looked up by its hash and never kept',
  'Mutation.operatorLogin.code': 'a secret of ours that is looked up by its hash and never kept',
  'Mutation.approveDevice.userCode': 'a code of eight letters that is looked up and never kept as it was typed',
  'Mutation.denyDevice.userCode': 'a code of eight letters that is looked up and never kept as it was typed',
  'Query.device.userCode': 'a code of eight letters that is looked up and never kept as it was typed',
  'KeptHeadInput.hash': 'a digest of ours that is compared and never kept',
};

/** Pages are asked for by a cursor of ours, which says where to go on and is never kept. */
export const CURSOR = 'after';

/**
 * Names that clients give to what they send. Two of them must not become one, so a secret in one is refused instead of taken out; what is only
 * guessed to be one (`key:` and a random id is a good name) may stay.
 */
export const NAMES_OF_CLIENTS: ReadonlySet<string> = new Set([
  'CaptureInput.idempotencyKey',
  'CaptureInput.promptKey',
  'CaptureInput.sessionKey',
  'EditMemoryInput.idempotencyKey',
  'ImportItemInput.sourceId',
  'ImportItemInput.supersededBy',
  'ImportItemInput.supersedes',
  'InjectForPromptInput.promptKey',
  'InjectForPromptInput.sessionKey',
  'StartSessionInput.sessionKey',
  'TurnInput.key',
  'TurnInput.promptKey',
  'TurnInput.sessionKey',
]);

/** The type of what is only guessed to be a secret. */
export const GUESSED = 'generic-api-key';
