import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@tempera/platform';
import type { Response } from 'express';
import { LOGGER } from '../platform/platform.tokens.js';
import { httpAnswerFor } from '../web/http-answer.js';
import { OauthError } from './oauth-error.js';

/** Other refusals in the words that OAuth has for them; `temporarily_unavailable` is what it says of busy servers. */
const CODES: Readonly<Record<number, string>> = {
  429: 'slow_down',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Answers of the OAuth routes that are no success, as JSON that nobody keeps. */
@Catch()
@Injectable()
export class OauthErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return;
    response.set('cache-control', 'no-store');
    if (error instanceof OauthError) {
      response.status(400).json({ error: error.code, error_description: error.message });
      return;
    }
    const { status, reason, message, retryAfter } = httpAnswerFor(error);
    if (status >= 500) this.logger.error({ reason, err: error }, 'token request failed');
    if (retryAfter !== null) response.set('retry-after', String(retryAfter));
    response.status(status).json({ error: CODES[status] ?? 'invalid_request', error_description: message });
  }
}
