import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import { mcpAudience } from '@tempera/platform';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.guard.js';
import { RequestAuthenticator } from '../auth/request-authenticator.js';
import type { Settings } from '../config/settings.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { httpAnswerFor } from '../web/http-answer.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { RPC_CODES, refuseRpc } from './rpc-refusal.js';
import { Visit } from './visit.js';

/** Where a client reads how to get a token (RFC 9728). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** In which our own helper for clients says the project that the person bound the folder to. */
const PROJECT_HEADER = 'x-tempera-project';

const projectOf = (request: Request): string | null => {
  const named = request.get(PROJECT_HEADER)?.trim();
  return named === undefined || named === '' ? null : named;
};

const methodOf = (request: Request): unknown => {
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'method') : undefined;
};

/** The MCP endpoint: every request shows its own token (docs/design.md A10). */
@Public()
@Controller()
export class McpController {
  private readonly metadataUrl: string;

  constructor(
    @Inject(SETTINGS) { publicUrl }: Settings,
    private readonly authenticator: RequestAuthenticator,
    private readonly endpoint: McpEndpoint,
  ) {
    this.metadataUrl = `${publicUrl}${METADATA_PATH}${new URL(mcpAudience(publicUrl)).pathname}`;
  }

  @All('mcp')
  async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const caller = await this.authenticator.identifyMcp(request);
      // What is offered never changes while the program runs; a stream that says so would only hold a place.
      if (methodOf(request) === 'subscriptions/listen') {
        const id: unknown = Reflect.get(request.body as object, 'id');
        return refuseRpc(response, 404, RPC_CODES.method, 'There is nothing to subscribe to.', id);
      }
      await this.endpoint.serve(new Visit(request, caller, projectOf(request)), response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else this.refuse(request, response, error);
    }
  }

  private refuse(request: Request, response: Response, error: unknown): void {
    const { status, message, retryAfter } = httpAnswerFor(error);
    if (status === 401) {
      const fault = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
      response.setHeader('www-authenticate', `Bearer resource_metadata="${this.metadataUrl}"${fault}`);
    }
    if (retryAfter !== null) response.setHeader('retry-after', String(retryAfter));
    refuseRpc(response, status, RPC_CODES.transport, message);
  }
}
