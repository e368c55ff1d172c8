import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { makeMcpServer } from '@tempera/client-kit/mcp';
import { COMMAND_NAME } from '@tempera/client-kit';
import type { Logger } from '@tempera/platform';
import type { Response as Answer } from 'express';
import { once } from 'node:events';
import { VERSION } from '../config/version.js';
import { originOf } from '../graphql/format-error.js';
import { currentScope } from '../graphql/request-scope.js';
import { LOGGER } from '../platform/platform.tokens.js';
import { ToolContexts } from './tool-contexts.js';
import { Visit } from './visit.js';

/** The tools over HTTP, in both eras of the protocol; nothing is kept from one request to the next. */
@Injectable()
export class McpEndpoint implements OnModuleDestroy {
  private readonly handler: McpHttpHandler;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tools: ToolContexts,
  ) {
    this.handler = createMcpHandler(({ authInfo }) => {
      const visit = Visit.of(authInfo);
      return makeMcpServer({
        version: VERSION,
        invocation: COMMAND_NAME,
        context: (tool, args) => this.tools.of(visit, tool, args),
        track: (call) => call,
        onUnexpected: (tool, error) => this.report(tool, error),
      });
    });
  }

  async serve(visit: Visit, answer: Answer): Promise<void> {
    const left = new AbortController();
    answer.once('close', () => left.abort());
    const { method, headers, body } = visit.request;
    const request = new Request('http://mcp.invalid/mcp', { method, headers: headersOf(headers), signal: left.signal });
    const options = { authInfo: visit.authInfo, ...(body === undefined ? {} : { parsedBody: body as unknown }) };
    await send(await this.handler.fetch(request, options), answer);
  }

  onModuleDestroy(): Promise<void> {
    return this.handler.close();
  }

  private report(tool: string, error: unknown): void {
    this.logger.error({ requestId: currentScope()?.requestId, tool, err: originOf(error) }, 'tool failed');
  }
}

const headersOf = (headers: Visit['request']['headers']): Headers => {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The token has done its work; what serves the tools has no use for it.
    if (name === 'authorization' || name.startsWith(':') || value === undefined) continue;
    copy.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return copy;
};

const send = async (response: Response, answer: Answer): Promise<void> => {
  answer.status(response.status);
  response.headers.forEach((value, name) => answer.setHeader(name, value));
  answer.setHeader('cache-control', 'no-store');
  // A proxy that gathers an answer before it passes it on would hold back one that comes in parts.
  answer.setHeader('x-accel-buffering', 'no');
  if (response.body !== null) {
    for await (const part of response.body) {
      if (answer.destroyed) return;
      if (!answer.write(part)) await Promise.race([once(answer, 'drain'), once(answer, 'close')]);
    }
  }
  answer.end();
};
