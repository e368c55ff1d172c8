import { readField, runnable } from '@tempera/client-kit';
import { z } from 'zod';
import { graphqlRequest } from '../graphql/graphql-request.js';
import { ME } from '../graphql/operations.js';
import { logInByDevice } from '../state/device-login.js';
import type { Login } from '../state/login-file.js';
import type { World } from '../world.js';

/** Of {@link ME}, what a login keeps. */
export const personShape = z.object({
  user: z.object({ id: z.string(), displayName: z.string() }),
  tenant: z.object({ id: z.string(), name: z.string() }),
});

/** By the approval of a person who sits at a browser, or at a machine that is logged in. */
export const byApproval = async (server: string, name: string, world: World): Promise<Login> => {
  const tokens = await logInByDevice(server, name, world, ({ address, userCode }) => {
    const elsewhere = runnable(`or run \`tempera approve ${userCode}\` where you are logged in.`, world.invocation);
    world.stderr.write(`Open ${address} in any browser and type ${userCode}\n${elsewhere} Waiting…\n`);
  });
  const asked = await graphqlRequest({ server, query: ME, variables: {}, token: tokens.accessToken }, world);
  const { user, tenant } = readField(asked.data, 'me', personShape);
  return {
    server,
    user,
    tenant,
    secret: { kind: 'refresh', token: tokens.refreshToken, expiresAt: tokens.refreshExpiresAt },
    access: { token: tokens.accessToken, validUntil: tokens.accessValidUntil },
  };
};
