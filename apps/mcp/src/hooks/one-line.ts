import { isVisible } from '@tempera/client-kit';

/** Whether a name is one that the service takes: it refuses a whole request for one name that is not. */
export const isOneLine = (name: string): boolean => isVisible(name.trim()) && !/[\p{Cc}\u2028\u2029]/u.test(name);
