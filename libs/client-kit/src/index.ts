export { AppError, errorTable, isAppError, kindOfGraphqlCode } from './app-error.js';
export type { AppErrorKind, AppErrorOptions, ErrorRule, GraphqlErrorCode } from './app-error.js';
export { normaliseRemote, slugFromRemote } from './project-key.js';
