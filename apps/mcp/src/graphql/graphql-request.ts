import { AppError, type AppErrorKind, kindOfGraphqlCode, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import type { World } from '../world.js';

/** How long one request may take, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 15_000;
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

const answerShape = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({
            code: z.string().optional(),
            requestId: z.string().optional(),
            details: z.record(z.string(), z.unknown()).optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});
type Answer = z.output<typeof answerShape>;

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

/** What the caller of a tool or a command can do about a refusal that speaks of requests. */
const ADVICE: Readonly<Record<string, { readonly fix: string; readonly cliFix: string }>> = {
  'query-cost': { fix: 'Call again with a smaller limit.', cliFix: 'Ask for fewer with --limit.' },
  'client-version': {
    fix: 'Tell the user; calling again helps only once the client is of the version of the service.',
    cliFix: 'Then run the command again.',
  },
};

const answerError = (answer: Answer, status: number, { server, requestId }: Sent): AppError => {
  const first = answer.errors?.[0];
  if (first === undefined) return strange(server, requestId, status);
  const kind = kindOfGraphqlCode(first.extensions?.code ?? '') ?? (status === 401 ? 'unauthenticated' : 'internal');
  const reason = first.extensions?.details?.['reason'];
  const code = typeof reason === 'string' ? reason : kind;
  return new AppError(kind, code, neutraliseLine(first.message, 600), {
    details: { requestId: first.extensions?.requestId ?? requestId, ...ADVICE[code] },
  });
};

const readAnswer = async (response: Response, { server, requestId }: Sent): Promise<Answer> => {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > MAX_ANSWER_BYTES) throw strange(server, requestId, response.status);
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw unreachable(server, requestId, cause);
  }
  try {
    return answerShape.parse(JSON.parse(text));
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
  let response: Response;
  try {
    response = await world.fetch(`${server}/graphql`, {
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
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (cause) {
    throw unreachable(server, requestId, cause);
  }
  const answer = await readAnswer(response, sent);
  if (answer.errors !== undefined || answer.data === undefined || answer.data === null) {
    throw answerError(answer, response.status, sent);
  }
  const date = new Date(response.headers.get('date') ?? Number.NaN);
  return { data: answer.data, serverTime: Number.isNaN(date.getTime()) ? null : date };
};

/** Reads one field of a reply by its shape. @throws AppError `internal` when client and server do not fit */
export const readField = <Shape extends z.ZodType>(data: unknown, field: string, shape: Shape): z.output<Shape> => {
  const parsed = z.object({ [field]: shape }).safeParse(data);
  if (parsed.success) return parsed.data[field] as z.output<Shape>;
  throw new AppError('internal', 'versions-differ', `The server's answer to ${field} is not what this client knows.`, {
    cause: parsed.error,
    details: { fix: 'Client and server are of different versions: update the older one.' },
  });
};
