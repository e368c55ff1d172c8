import { writeFileSync } from 'node:fs';

const EVERY_MS = 5_000;

/**
 * Touches a file while the process turns, for the container's health check.
 * @returns stops it
 */
export const keepAliveFile = (path: string): (() => void) => {
  const touch = (): void => writeFileSync(path, '');
  touch();
  const timer = setInterval(touch, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
};
