import { z } from 'zod';
import { AppError, type AppErrorKind, kindOfGraphqlCode } from '../app-error.js';
import { neutraliseLine } from '../untrusted-text.js';

/** A GraphQL answer, as far as a client reads it before it knows what was asked. */
export const graphqlAnswer = z.object({
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
export type GraphqlAnswer = z.output<typeof graphqlAnswer>;

/** What the caller of a tool or a command can do about a refusal that speaks of requests. */
const ADVICE: Readonly<Record<string, { readonly fix: string; readonly cliFix: string }>> = {
  'query-cost': { fix: 'Call again with a smaller limit.', cliFix: 'Ask for fewer with --limit.' },
  'client-version': {
    fix: 'Tell the user; calling again helps only once the client is of the version of the service.',
    cliFix: 'Then run the command again.',
  },
};

/**
 * What a service refused, by its error code; the kind `otherwise` where the code is none of ours. Null when it refused nothing.
 */
export const refusalIn = (
  { errors }: GraphqlAnswer,
  requestId: string,
  otherwise: AppErrorKind = 'internal',
): AppError | null => {
  const first = errors?.[0];
  if (first === undefined) return null;
  const kind = kindOfGraphqlCode(first.extensions?.code ?? '') ?? otherwise;
  const reason = first.extensions?.details?.['reason'];
  const code = typeof reason === 'string' ? reason : kind;
  return new AppError(kind, code, neutraliseLine(first.message, 600), {
    details: { requestId: first.extensions?.requestId ?? requestId, ...ADVICE[code] },
  });
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
