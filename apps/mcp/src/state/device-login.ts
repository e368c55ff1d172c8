import { AppError, isAppError, neutraliseLine } from '@tempera/client-kit';
import { z } from 'zod';
import { type FormReply, postForm } from '../graphql/form-request.js';
import type { World } from '../world.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const CLIENT_ID = 'tempera-cli';
/** Added to the interval when the service asks for it (RFC 8628, 3.5), and when it cannot be reached. */
const SLOWER_SECONDS = 5;

const grantShape = z.object({
  device_code: z.string(),
  user_code: z.string().max(40),
  // Written out by the parser of addresses, which leaves nothing in it that a terminal would act on.
  verification_uri: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .transform((text) => new URL(text).href),
  expires_in: z.number().positive(),
  interval: z.number().min(1).max(60).default(5),
});
const tokenShape = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
  refresh_token_expires_in: z.number(),
});
const errorShape = z.object({ error: z.string(), error_description: z.string().default('') });

/** Tokens of a login that a person has approved. */
export interface DeviceTokens {
  readonly accessToken: string;
  /** ISO moments by this machine's clock. */
  readonly accessValidUntil: string;
  readonly refreshToken: string;
  readonly refreshExpiresAt: string;
}

/** Where the person goes, and the code to type there. */
export interface DevicePrompt {
  readonly address: string;
  readonly userCode: string;
}

const versionsDiffer = (cause: unknown): AppError =>
  new AppError('internal', 'versions-differ', "The server's answer to a device login is not what this client knows.", {
    cause,
    details: { fix: 'Client and server are of different versions: update the older one.' },
  });

const read = <Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> => {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  throw versionsDiffer(parsed.error);
};

const refusal = (server: string, { status, body }: FormReply): AppError => {
  const { error, error_description: told } = read(errorShape, body);
  const message = neutraliseLine(told, 300) || `${server} refused the login (${neutraliseLine(error, 40)}).`;
  if (error === 'access_denied') return new AppError('forbidden', 'device-denied', message);
  if (error === 'expired_token') return new AppError('unauthenticated', 'device-expired', message);
  if (status === 429) return new AppError('limit-exceeded', 'device-limit', message);
  if (status >= 500) return new AppError('unavailable', 'device-unavailable', message);
  return new AppError('unauthenticated', 'device-refused', message);
};

type Grant = z.output<typeof grantShape>;

const poll = async (server: string, grant: Grant, world: World): Promise<z.output<typeof tokenShape>> => {
  const end = world.now().getTime() + grant.expires_in * 1_000;
  let seconds = grant.interval;
  while (world.now().getTime() < end) {
    await world.wait(seconds * 1_000);
    const fields = { grant_type: DEVICE_GRANT, device_code: grant.device_code, client_id: CLIENT_ID };
    // A server that restarts meanwhile still knows the code.
    const reply = await postForm(server, '/oauth/token', fields, world).catch((error: unknown) => {
      if (isAppError(error) && error.kind === 'unavailable') return null;
      throw error;
    });
    if (reply?.status === 200) return read(tokenShape, reply.body);
    const code = reply === null ? 'slow_down' : read(errorShape, reply.body).error;
    if (code === 'slow_down' || reply === null || reply.status >= 500) seconds += SLOWER_SECONDS;
    else if (code !== 'authorization_pending') throw refusal(server, reply);
  }
  throw new AppError('unauthenticated', 'device-expired', 'Nobody answered in time.');
};

/**
 * Logs in by RFC 8628: shows an address and a code, and asks the service until a person has answered there.
 * @throws AppError `forbidden` when the person denied, `unauthenticated` when nobody answered, `unavailable`
 */
export const logInByDevice = async (
  server: string,
  deviceName: string,
  world: World,
  show: (prompt: DevicePrompt) => void,
): Promise<DeviceTokens> => {
  const fields = { client_id: CLIENT_ID, device_name: deviceName };
  const reply = await postForm(server, '/oauth/device_authorization', fields, world);
  if (reply.status !== 200) throw refusal(server, reply);
  const grant = read(grantShape, reply.body);
  show({ address: grant.verification_uri, userCode: neutraliseLine(grant.user_code, 40) });
  const tokens = await poll(server, grant, world);
  const after = (seconds: number): string => new Date(world.now().getTime() + seconds * 1_000).toISOString();
  return {
    accessToken: tokens.access_token,
    accessValidUntil: after(tokens.expires_in),
    refreshToken: tokens.refresh_token,
    refreshExpiresAt: after(tokens.refresh_token_expires_in),
  };
};
