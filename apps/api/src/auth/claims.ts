import { z } from 'zod';

/** Longest life of a token we accept, seconds; ours live ten minutes. */
const MAX_LIFE_SECONDS = 15 * 60;
/** How far clocks may differ, seconds (PostgREST's figure). */
export const CLOCK_SKEW_SECONDS = 30;

const seconds = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const timed = {
  sub: z.uuid(),
  jti: z.uuid(),
  iat: seconds,
  exp: seconds,
};
const isShortLived = ({ iat, exp }: { iat: number; exp: number }): boolean =>
  exp > iat && exp - iat <= MAX_LIFE_SECONDS;

const accessClaims = z
  .object({ ...timed, tid: z.uuid(), sid: z.uuid(), gen: z.number().int().min(0).max(2_147_483_647) })
  .refine(isShortLived);
const operatorClaims = z.object(timed).refine(isShortLived);

/** Claims of a person's token, after every check but the session's. */
export type AccessClaims = z.infer<typeof accessClaims>;
export type OperatorClaims = z.infer<typeof operatorClaims>;

const parse = <T extends { readonly iat: number }>(schema: z.ZodType<T>, payload: unknown, now: Date): T | null => {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return null;
  const isFromTheFuture = parsed.data.iat > now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
  return isFromTheFuture ? null : parsed.data;
};

/** The claims of a verified token, or null where one is missing, of another type, or promises too long a life. */
export const parseAccessClaims = (payload: unknown, now: Date): AccessClaims | null =>
  parse(accessClaims, payload, now);
export const parseOperatorClaims = (payload: unknown, now: Date): OperatorClaims | null =>
  parse(operatorClaims, payload, now);
