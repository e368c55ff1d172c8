import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { ISSUE_MCP_TOKEN } from '../graphql/identity-operations.js';
import { notLoggedIn } from '../state/access-tokens.js';
import { findWorkplace, serviceClient } from '../workplace.js';
import type { World } from '../world.js';
import type { AddCommand } from './command.js';

/** In which Claude Code says for which server it wants headers. */
const SERVER_VARIABLE = 'CLAUDE_CODE_MCP_SERVER_URL';

const grantShape = z.object({ accessToken: z.string() });

const refuse = (message: string): AppError =>
  new AppError('forbidden', 'headers-elsewhere', message, {
    details: { fix: 'The address in the MCP settings is that of your login: `tempera whoami` shows it.' },
  });

/**
 * The address that headers are wanted for has to be the MCP endpoint of the login. A settings file of a repository names both
 * the address and this command, so that else a cloned repository could have a token sent wherever it likes.
 */
const requireOwn = (wanted: string, server: string): void => {
  if (!URL.canParse(wanted)) throw refuse('The address that headers are wanted for is none.');
  const url = new URL(wanted);
  if (`${url.origin}${url.pathname}` !== new URL(`${server}/mcp`).href)
    throw refuse(`Headers are given for ${server}/mcp alone, not for ${url.origin}.`);
};

const printHeaders = async (named: string | undefined, world: World): Promise<void> => {
  const asked = world.environment[SERVER_VARIABLE];
  const wanted = [asked, named].filter((address) => address !== undefined && address !== '');
  if (wanted.length === 0) throw refuse(`Nothing says for which address: neither ${SERVER_VARIABLE} nor --url.`);
  const workplace = await findWorkplace(world);
  const { login, binding } = workplace;
  if (login === null) throw notLoggedIn();
  for (const address of wanted) requireOwn(address ?? '', login.server);
  const { accessToken } = await serviceClient(workplace, world).ask(
    ISSUE_MCP_TOKEN,
    {},
    'issueMcpToken',
    grantShape,
    true,
  );
  // Said where the folder is bound to none, too: the settings file of a repository must not choose the project.
  const headers = { Authorization: `Bearer ${accessToken}`, 'X-Tempera-Project': binding?.project ?? '' };
  world.stdout.write(`${JSON.stringify(headers)}\n`);
};

/** `tempera headers` */
export const addHeaders: AddCommand = (program, world) => {
  program
    .command('headers')
    .summary('print the headers with which an MCP client speaks to the service over HTTP')
    .description(
      'Prints the headers with which an MCP client speaks to the service over HTTP: a token for its MCP endpoint alone, good for ten minutes. A client runs it (headersHelper in .mcp.json of Claude Code); nobody needs to.',
    )
    .option('--url <address>', `the endpoint, where the client does not say it in ${SERVER_VARIABLE}`)
    .addHelpText('after', '\nExamples:\n  tempera headers --url https://tempera.example/mcp')
    .action((options: { readonly url?: string }) => printHeaders(options.url, world));
};
