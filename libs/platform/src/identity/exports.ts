export {
  ACCESS_LIFE_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessSubject,
  type AccessTokenOptions,
  type IssuedAccessToken,
  issueAccessToken,
  issueOperatorToken,
  mcpAudience,
  operatorAudience,
  verificationKeys,
} from './access-token.js';
export { derivedKey, derivedKeys } from './derived-keys.js';
export { createKeyFile, readKeyFile, replaceKeyFile } from './key-file.js';
export {
  currentHmacKey,
  currentSigningKey,
  type HmacKey,
  hmacKeysOf,
  type KeySet,
  publicJwks,
  type SigningKey,
  signingKeysOf,
} from './key-set.js';
export { dropKeys, type KeyKind, promoteKey, type RotationStep, stageKey } from './key-rotation.js';
export { KeyRing } from './key-ring.js';
export { newKeySet } from './new-key-set.js';
export { isPersonalToken, newPersonalToken, personalTokenPrefix } from './personal-token.js';
export { type PrivateFile, readPrivateFile } from './private-file.js';
export { childSecret, hashSecret, newSecret, type RandomBytes, type SecretKind } from './secret.js';
export { hashUserCode, newUserCode, readUserCode, showUserCode } from './user-code.js';
export { type KeyWatchOptions, watchKeyFile } from './watch-key-file.js';
