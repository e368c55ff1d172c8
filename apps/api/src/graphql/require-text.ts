import { AppError } from '@tempera/client-kit';

/**
 * A text argument without blanks at its ends.
 * @throws AppError `invalid-input` that names the argument, when nothing is left or more than `max` characters are
 */
export const requireText = (value: string, name: string, max: number): string => {
  const text = value.trim();
  if (text === '') throw new AppError('invalid-input', 'text-empty', `\`${name}\` is empty.`);
  if (text.length > max) {
    throw new AppError('invalid-input', 'text-too-long', `\`${name}\` has more than ${max} characters.`);
  }
  return text;
};
