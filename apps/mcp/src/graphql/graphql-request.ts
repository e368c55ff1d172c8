import {
  AppError,
  type AppErrorKind,
  type GraphqlAnswer,
  graphqlAnswer,
  isAppError,
  refusalIn,
} from '@tempera/client-kit';
import type { World } from '../world.js';
import { inTime, REQUEST_TIMEOUT_MS } from './in-time.js';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** One operation to send. */
export interface GraphqlRequest {
  readonly server: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Access token; `null` for the operations that need none. */
  readonly token: string | null;
}

/** What came back. */
export interface GraphqlReply {
  readonly data: unknown;
  /** The server's clock, for judging how long a token lives on ours; `null` when it did not say. */
  readonly serverTime: Date | null;
}

/** What an error tells of the request that it is about. */
interface Sent {
  readonly server: string;
  /** Under this name the server logs it, and Postgres shows it while it works on it. */
  readonly requestId: string;
}

const unreachable = (server: string, requestId: string, cause: unknown): AppError => {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const what = isTimeout ? `did not answer within ${REQUEST_TIMEOUT_MS / 1000} s` : 'cannot be reached';
  return new AppError('unavailable', 'server-unreachable', `The Tempera server at ${server} ${what}.`, {
    cause,
    // The server may have met it before the answer was lost; its log then knows the id.
    details: { requestId, fix: 'Check that it runs and that the address is right.' },
  });
};

const strange = (server: string, requestId: string, status: number): AppError => {
  const kind: AppErrorKind = status === 429 ? 'limit-exceeded' : 'unavailable';
  return new AppError(kind, 'answer-strange', `${server} answered ${status}, not as a Tempera server does.`, {
    details: { requestId, fix: 'Check the address of the server, and proxies in between.' },
  });
};

const answerError = (answer: GraphqlAnswer, status: number, { server, requestId }: Sent): AppError =>
  refusalIn(answer, requestId, status === 401 ? 'unauthenticated' : 'internal') ?? strange(server, requestId, status);

const readAnswer = async (response: Response, { server, requestId }: Sent): Promise<GraphqlAnswer> => {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > MAX_ANSWER_BYTES) throw strange(server, requestId, response.status);
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw unreachable(server, requestId, cause);
  }
  try {
    return graphqlAnswer.parse(JSON.parse(text));
  } catch {
    throw strange(server, requestId, response.status);
  }
};

/**
 * Sends one operation.
 *
 * Redirects are refused: a token goes to the server it was made for and nowhere else.
 *
 * @throws AppError by the service's error code; `unavailable` when nothing usable came back
 */
export const graphqlRequest = async (
  request: GraphqlRequest,
  world: Pick<World, 'fetch' | 'version' | 'newId'>,
): Promise<GraphqlReply> => {
  const { server, query, variables, token } = request;
  const requestId = world.newId();
  const sent = { server, requestId };
  const init = {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': `tempera/${world.version}`,
      // A service of another major version refuses by it, instead of misunderstanding what follows.
      'x-tempera-client': world.version,
      'x-request-id': requestId,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  } as const;
  const { response, answer } = await inTime(async (signal) => {
    const answered = await world.fetch(`${server}/graphql`, { ...init, signal });
    return { response: answered, answer: await readAnswer(answered, sent) };
  }).catch((cause: unknown) => {
    throw isAppError(cause) ? cause : unreachable(server, requestId, cause);
  });
  if (answer.errors !== undefined || answer.data === undefined || answer.data === null) {
    throw answerError(answer, response.status, sent);
  }
  const date = new Date(response.headers.get('date') ?? Number.NaN);
  return { data: answer.data, serverTime: Number.isNaN(date.getTime()) ? null : date };
};
