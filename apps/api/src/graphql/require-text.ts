import { AppError, isVisible, turnsDirection } from '@tempera/client-kit';

/**
 * A name without blanks at its ends: one line that a person sees, and that cannot pass for another one.
 * @throws AppError `invalid-input` that names the argument, when nothing is left or more than `max` characters are
 */
export const requireText = (value: string, name: string, max: number): string => {
  const text = value.trim();
  if (!isVisible(text)) throw new AppError('invalid-input', 'text-empty', `\`${name}\` is empty.`);
  if (text.length > max) {
    throw new AppError('invalid-input', 'text-too-long', `\`${name}\` has more than ${max} characters.`);
  }
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) {
    throw new AppError('invalid-input', 'text-lines', `\`${name}\` must be one line, without control characters.`);
  }
  if (turnsDirection(text)) {
    throw new AppError(
      'invalid-input',
      'text-direction',
      `\`${name}\` holds characters that turn the direction of text.`,
    );
  }
  return text;
};
