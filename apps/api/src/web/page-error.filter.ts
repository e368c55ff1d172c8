import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@tempera/platform';
import type { Response } from 'express';
import { LOGGER } from '../platform/platform.tokens.js';
import { httpAnswerFor } from './http-answer.js';
import { markup } from './markup.js';
import { sendPage } from './page.js';

/** What went wrong on a page, told on a page. The log learns the reason, and of faults of ours the error itself. */
@Catch()
@Injectable()
export class PageErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { status, reason, message, retryAfter } = httpAnswerFor(error);
    if (status >= 500) this.logger.error({ reason, err: error }, 'page failed');
    else this.logger.info({ reason, status }, 'page refused');
    if (response.headersSent) return;
    if (retryAfter !== null) response.set('retry-after', String(retryAfter));
    sendPage(response, { title: 'That did not work', body: markup`<p class="problem">${message}</p>` }, status);
  }
}
