import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../support/programs.js';

type Operations = typeof import('../../../apps/mcp/src/graphql/operations.js');

/** What the MCP server asks, from its build: the compiled tests do not lie beside it. */
export const { CAPTURE, RETRIEVE } = (await import(
  pathToFileURL(join(projectRoot, 'apps/mcp/dist/graphql/operations.js')).href
)) as Operations;
