import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import {
  answerForAgent,
  type CatalogueTool,
  SERVER_INSTRUCTIONS,
  tellError,
  type ToolContext,
  toldSchema,
  toolCatalogue,
} from '@tempera/client-kit';
import { runnable, runnableAnswer } from '../output/runnable.js';

/** What the server needs besides the tools. */
export interface ServerParts {
  readonly version: string;
  /** How a person starts the command line, for advice. */
  readonly invocation: string;
  /** Made anew for each call. @throws AppError, which the caller is told */
  context(): Promise<ToolContext>;
  /** Sees each call until it has been answered. */
  track<Result>(call: Promise<Result>): Promise<Result>;
  /** Hears of errors that are no caller's fault. */
  onUnexpected(tool: string, error: unknown): void;
}

const callTool = async (tool: CatalogueTool, args: unknown, parts: ServerParts): Promise<CallToolResult> => {
  try {
    const answer = await tool.call(args, await parts.context());
    return {
      content: [{ type: 'text', text: answerForAgent(runnableAnswer(answer, parts.invocation)) }],
      structuredContent: { ...answer.structured },
      ...(answer.failed === true ? { isError: true } : {}),
    };
  } catch (thrown) {
    const { error, text } = tellError(thrown, 'agent');
    if (error.kind === 'internal') parts.onUnexpected(tool.name, thrown);
    return { content: [{ type: 'text', text: runnable(text, parts.invocation) }], isError: true };
  }
};

/** Told to clients in few words, and checked by the catalogue alone, whose words an agent can follow. */
const schemaOf = ({ inputSchema }: CatalogueTool): StandardSchemaWithJSON<unknown, unknown> => {
  const told = (): Record<string, unknown> => toldSchema(inputSchema);
  const { version, vendor } = inputSchema['~standard'];
  return {
    '~standard': { version, vendor, validate: (value) => ({ value }), jsonSchema: { input: told, output: told } },
  };
};

/** A server with all tools, for one connection of either protocol era. */
export const makeMcpServer = (parts: ServerParts): McpServer => {
  const server = new McpServer(
    { name: 'tempera', title: 'Tempera team memory', version: parts.version },
    { capabilities: { tools: {} }, instructions: SERVER_INSTRUCTIONS },
  );
  for (const tool of toolCatalogue) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: schemaOf(tool),
        annotations: tool.annotations,
        ...(tool.alwaysLoad ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
      },
      (args) => parts.track(callTool(tool, args, parts)),
    );
  }
  return server;
};
