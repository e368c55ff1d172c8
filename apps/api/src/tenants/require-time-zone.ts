import { AppError } from '@tempera/client-kit';

/** A zone as the runtime's own list spells it. @throws AppError `invalid-input` */
export const requireTimeZone = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('invalid-input', 'time-zone', '`timeZone` is a zone such as UTC or Europe/Zurich.');
  }
};
