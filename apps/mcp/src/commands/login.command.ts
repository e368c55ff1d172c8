import type { Command } from 'commander';
import { AppError, neutraliseLine, readField } from '@tempera/client-kit';
import { z } from 'zod';
import { graphqlRequest } from '../graphql/graphql-request.js';
import { EXCHANGE_TOKEN, LOGIN, ME } from '../graphql/operations.js';
import { askSecret } from '../output/prompt.js';
import { sessionShape, validUntil } from '../state/access-tokens.js';
import { type Login, loginKey, LoginFiles } from '../state/login-file.js';
import type { World } from '../world.js';
import { type AddCommand, shellOf, withJson } from './command.js';
import { withFreshCodeAdvice } from './fresh-code.js';
import { findServer } from './find-server.js';
import { byApproval, personShape } from './login-by-approval.js';

const PERSONAL_TOKEN = /^tmem_pat_/;
const grantShape = z.object({ accessToken: z.string(), accessExpiresAt: z.iso.datetime({ offset: true }) });

const redeemCode = async (server: string, code: string, client: string, world: World): Promise<Login> => {
  const request = { server, query: LOGIN, variables: { input: { code, client } }, token: null };
  const { data, serverTime } = await graphqlRequest(request, world);
  const session = readField(data, 'login', sessionShape);
  return {
    server,
    user: { id: session.user.id, displayName: session.user.displayName },
    tenant: session.tenant,
    secret: { kind: 'refresh', token: session.refreshToken, expiresAt: session.refreshExpiresAt },
    access: { token: session.accessToken, validUntil: validUntil(session.accessExpiresAt, serverTime, world.now()) },
  };
};

const usePersonalToken = async (server: string, token: string, world: World): Promise<Login> => {
  const exchanged = await graphqlRequest({ server, query: EXCHANGE_TOKEN, variables: { token }, token: null }, world);
  const grant = readField(exchanged.data, 'exchangeToken', grantShape);
  const asked = await graphqlRequest({ server, query: ME, variables: {}, token: grant.accessToken }, world);
  const { user, tenant } = readField(asked.data, 'me', personShape);
  const until = validUntil(grant.accessExpiresAt, exchanged.serverTime, world.now());
  return {
    server,
    user,
    tenant,
    secret: { kind: 'personal', token },
    access: { token: grant.accessToken, validUntil: until },
  };
};

const promptFor = (server: string): string =>
  `One-time code for ${server} (or a personal access token; Enter alone to approve this machine from elsewhere): `;

interface LoginOptions {
  readonly server?: string;
  readonly allowHttp?: boolean;
  readonly device?: boolean;
  readonly name?: string;
  readonly json?: boolean;
}

const noCode = (): AppError =>
  new AppError('invalid-input', 'no-code', 'No code was given, and there is no terminal to ask at.', {
    details: {
      fix: 'Pipe a one-time code or a personal access token into `tempera login`, run it at a terminal, or say `tempera login --device` to approve this machine from elsewhere.',
    },
  });

/** The code or token; empty where the person at the terminal, or `--device`, leaves it to an approval. */
const readSecret = async (server: string, { device }: LoginOptions, world: World): Promise<string> => {
  if (device === true) return '';
  const secret = await askSecret(world, promptFor(server));
  // Waiting for an approval is for who sees the code that is to be approved: a script would wait in vain.
  if (secret === '' && world.stdin.isTTY !== true) throw noCode();
  return secret;
};

const loginBy = (secret: string, server: string, name: string, world: World): Promise<Login> => {
  if (secret === '') return byApproval(server, name, world);
  return PERSONAL_TOKEN.test(secret)
    ? usePersonalToken(server, secret, world)
    : redeemCode(server, secret, name, world);
};

const refuseArgument = (words: readonly string[]): void => {
  if (words.length === 0) return;
  throw new AppError('invalid-input', 'secret-in-arguments', 'A code is never taken from the command line.', {
    details: {
      fix: 'It now stands in your shell history: let it expire, get a fresh one, run `tempera login` and paste it at the prompt or pipe it in.',
    },
  });
};

const logIn = async (words: readonly string[], options: LoginOptions, world: World): Promise<void> => {
  const { terminal } = shellOf(world, { ...options });
  refuseArgument(words);
  const server = await findServer(options.server, options.allowHttp === true, world);
  const name = options.name ?? `tempera on ${world.host}`;
  const secret = await readSecret(server, options, world);
  const again = `Then run \`tempera login --server ${server}\` again.`;
  const login = await withFreshCodeAdvice(loginBy(secret, server, name, world), again);
  const files = new LoginFiles(world);
  const key = loginKey(login);
  await files.locked(key, () => files.write(key, login));
  await files.setCurrent(key);
  const person = neutraliseLine(login.user.displayName, 80);
  const tenant = neutraliseLine(login.tenant.name, 80);
  terminal.result(
    [
      `${terminal.paint('green', 'Logged in')} to ${server} as ${person}, tenant ${tenant}.`,
      'Next: run `tempera init` in a repository to bind it to a project.',
    ],
    { server, user: login.user, tenant: login.tenant },
  );
};

/** `tempera login` */
export const addLogin: AddCommand = (program, world) => {
  withJson(program.command('login'))
    .summary('log in with a one-time code, or by approval from elsewhere')
    .description(
      'Logs this machine in with a one-time code, typed at the prompt or piped in, never as an argument. With Enter alone, or --device, it shows an address and a code of its own, and waits until you approve it there, or with `tempera approve` on a machine that is logged in. The login is kept in a file that only you can read and renewed in silence.',
    )
    // An argument could be a code that other users can read: it is taken only to be refused with advice.
    .allowExcessArguments()
    .option('--server <url>', 'address of the service (default: TEMPERA_SERVER, else the last one, else this machine)')
    .option('--device', 'ask for no code: show one, to be approved in a browser or on a machine that is logged in')
    .option('--name <name>', 'name of this machine in the list of sessions')
    .option('--allow-http', 'accept an address without https that is not this machine')
    .addHelpText(
      'after',
      '\nExamples:\n  tempera login --server https://tempera.example\n  tempera login --server https://tempera.example --device\n  pass show tempera-code | tempera login --server https://tempera.example',
    )
    .action((options: LoginOptions, command: Command) => logIn(command.args, options, world));
};
