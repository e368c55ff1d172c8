import type { Command } from 'commander';
import { AppError, readField } from '@tempera/client-kit';
import { z } from 'zod';
import { graphqlRequest } from '../../graphql/graphql-request.js';
import { OPERATOR_LOGIN } from '../../graphql/operator-operations.js';
import { askSecret } from '../../output/prompt.js';
import { minuteText } from '../../output/table.js';
import { validUntil } from '../../state/access-tokens.js';
import { forgetOperatorLogin, keepOperatorLogin } from '../../state/operator-login.js';
import type { World } from '../../world.js';
import { shellOf, withJson } from '../command.js';
import { findServer } from '../find-server.js';
import { withFreshCodeAdvice } from '../fresh-code.js';

const grantShape = z.object({ accessToken: z.string(), expiresAt: z.iso.datetime({ offset: true }) });

const FRESH_CODE =
  'An operator makes one with `tempera admin operators code NAME`, the host with `npm run operator-code`.';

interface LoginOptions {
  readonly code?: string;
  readonly server?: string;
  readonly allowHttp?: boolean;
  readonly json?: boolean;
}

const logIn = async (options: LoginOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  const server = await findServer(options.server, options.allowHttp === true, world);
  const code = options.code ?? (await askSecret(world, `One-time operator code for ${server}: `));
  if (code === '') {
    throw new AppError('invalid-input', 'no-code', 'No code was given.', { details: { fix: FRESH_CODE } });
  }
  const request = { server, query: OPERATOR_LOGIN, variables: { code }, token: null };
  const fix = `${FRESH_CODE} Then run \`tempera admin login\` again; a person's own code is for \`tempera login\`.`;
  const { data, serverTime } = await withFreshCodeAdvice(graphqlRequest(request, world), fix);
  const grant = readField(data, 'operatorLogin', grantShape);
  const until = validUntil(grant.expiresAt, serverTime, world.now());
  await keepOperatorLogin({ server, token: grant.accessToken, validUntil: until }, world);
  terminal.result(
    [`${terminal.paint('green', 'Logged in')} to ${server} as operator, until ${minuteText(until) ?? ''}.`],
    { server, validUntil: until },
  );
};

/** `tempera admin login` and `tempera admin logout` */
export const addOperatorLogin = (admin: Command, world: World): void => {
  withJson(admin.command('login'))
    .summary('log in as operator with a one-time code (operators)')
    .description(
      'Logs in as operator with a one-time code, typed at the prompt or piped in. The token lives a few minutes in a file that only you can read; nothing renews it.',
    )
    .option('--code <code>', 'instead of the prompt; other users of this machine could read it until it is spent')
    .option(
      '--server <url>',
      'address of the service (default: TEMPERA_SERVER, else that of your login, else this machine)',
    )
    .option('--allow-http', 'accept an address without https that is not this machine')
    .addHelpText('after', '\nExamples:\n  tempera admin login --server https://tempera.example')
    .action((options: LoginOptions) => logIn(options, world));
  withJson(admin.command('logout'))
    .summary("forget the operator's token (operators)")
    .description("Removes the operator's token from this machine.")
    .addHelpText('after', '\nExamples:\n  tempera admin logout')
    .action(async (options: { readonly json?: boolean }) => {
      await forgetOperatorLogin(world);
      shellOf(world, { ...options }).terminal.result(["The operator's token is forgotten."], { loggedIn: false });
    });
};
