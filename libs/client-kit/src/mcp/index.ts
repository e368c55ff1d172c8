/*
 * The MCP server, beside the rest: it is most of the start-up time of a program, and the command line does without.
 */
export { makeMcpServer } from './mcp-server.js';
export type { ServerParts } from './mcp-server.js';
