import { AppError } from '@tempera/client-kit';

/** Only what every address has; whether it exists is shown by mail reaching it. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** An e-mail address, or null for none. @throws AppError `invalid-input` */
export const optionalEmail = (email: string | null | undefined): string | null => {
  const trimmed = email?.trim() ?? '';
  if (trimmed === '') return null;
  if (EMAIL.test(trimmed)) return trimmed;
  throw new AppError('invalid-input', 'email', 'An e-mail address has the form name@example.com.');
};
