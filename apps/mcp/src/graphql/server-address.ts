import { AppError } from '@tempera/client-kit';

/** Where a service that was started without settings listens. */
export const DEFAULT_SERVER = 'http://127.0.0.1:4747';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether only this machine reaches the address. */
export const isLoopback = (server: string): boolean => URL.canParse(server) && LOOPBACK.test(new URL(server).hostname);

/**
 * Reads the address of a service as a person writes it: without a slash at its end, with or without `/graphql`.
 *
 * @param allowPlainHttp accept an unencrypted address that is not this machine's; tokens would travel in the clear
 * @throws AppError `invalid-input`
 */
export const readServerAddress = (text: string, allowPlainHttp: boolean): string => {
  const trimmed = text.trim();
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || !URL.canParse(candidate)) {
    throw new AppError(
      'invalid-input',
      'server-address',
      `The server address is no URL, such as https://tempera.example.`,
    );
  }
  const url = new URL(candidate);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AppError('invalid-input', 'server-address', 'The server address must begin with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('invalid-input', 'server-address', 'The server address must not hold a user name or password.');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !allowPlainHttp) {
    throw new AppError('invalid-input', 'server-plain-http', 'Over plain http tokens could be read on the way.', {
      details: { fix: 'Use https://, or say --allow-http if the network itself is private.' },
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/graphql$/, '');
};
