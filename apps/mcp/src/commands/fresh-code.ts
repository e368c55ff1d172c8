import { AppError, isAppError } from '@tempera/client-kit';

/** The general advice, to log in, is no help to someone who is doing just that. @param fix what to do instead */
export const withFreshCodeAdvice = async <Result>(login: Promise<Result>, fix: string): Promise<Result> => {
  try {
    return await login;
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'unauthenticated') throw error;
    throw new AppError(error.kind, error.code, error.message, { cause: error, details: { fix } });
  }
};
