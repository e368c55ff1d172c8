import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type CatalogueTool, toolCatalogue } from '../tools/catalogue.js';
import { runnable, runnableAnswer } from '../tools/runnable.js';
import { SERVER_INSTRUCTIONS } from '../tools/texts.js';
import { toldSchema } from '../tools/told-schema.js';
import { answerForAgent, type ToolContext } from '../tools/tool.js';
import { tellError } from '../tools/tool-error.js';

/** What the server needs besides the tools. */
export interface ServerParts {
  readonly version: string;
  /** How a person starts the command line, for advice. */
  readonly invocation: string;
  /** Made anew for each call, of the tool and what it was given. @throws AppError, which the caller is told */
  context(tool: CatalogueTool, args: unknown): Promise<ToolContext>;
  /** Sees each call until it has been answered. */
  track<Result>(call: Promise<Result>): Promise<Result>;
  /** Hears of errors that are no caller's fault. */
  onUnexpected(tool: string, error: unknown): void;
}

const callTool = async (tool: CatalogueTool, args: unknown, parts: ServerParts): Promise<CallToolResult> => {
  try {
    const answer = await tool.call(args, await parts.context(tool, args));
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

/** A server with all tools, for one connection, or one request, of either protocol era. */
export const makeMcpServer = (parts: ServerParts): McpServer => {
  const server = new McpServer(
    { name: 'tempera', title: 'Tempera team memory', version: parts.version },
    // The tools are the same for as long as the program runs: there is no change to subscribe to.
    { capabilities: { tools: { listChanged: false } }, instructions: SERVER_INSTRUCTIONS },
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
