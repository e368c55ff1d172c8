import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';
import { inTime } from './in-time.js';

const MAX_ANSWER_BYTES = 64 * 1024;

/** What an OAuth route answered. */
export interface FormReply {
  readonly status: number;
  readonly body: unknown;
}

const strange = (server: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'server-unreachable', `The Tempera server at ${server} cannot be reached.`, {
    cause,
    details: { fix: 'Check that it runs and that the address is right.' },
  });

/**
 * Posts a form, as OAuth's routes take it. Redirects are refused, as for every request that carries a secret.
 * @throws AppError `unavailable` when nothing usable came back
 */
export const postForm = async (
  server: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  world: Pick<World, 'fetch' | 'version'>,
): Promise<FormReply> => {
  let response: Response;
  let text: string;
  try {
    ({ response, text } = await inTime(async (signal) => {
      const answered = await world.fetch(`${server}${path}`, {
        method: 'POST',
        redirect: 'error',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          'user-agent': `tempera/${world.version}`,
        },
        body: new URLSearchParams(fields).toString(),
        signal,
      });
      return { response: answered, text: await answered.text() };
    }));
  } catch (cause) {
    throw strange(server, cause);
  }
  try {
    if (text.length > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
    return { status: response.status, body: JSON.parse(text) };
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'answer-strange',
      `${server} answered ${response.status}, not as a Tempera server does.`,
      {
        cause,
        details: { fix: 'Check the address of the server, and proxies in between.' },
      },
    );
  }
};
