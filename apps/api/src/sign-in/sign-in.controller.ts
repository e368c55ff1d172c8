import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.guard.js';
import { SessionsService } from '../auth/sessions.service.js';
import type { Settings } from '../config/settings.js';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { addressOf } from '../limits/client-address.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { BrowserSessions } from '../web/browser-sessions.js';
import { formOf } from '../web/form.js';
import { PageErrorFilter } from '../web/page-error.filter.js';
import { sendPage } from '../web/page.js';
import { postOnly } from '../web/post-only.js';
import { requireSameOrigin } from '../web/same-origin.js';
import { invitePage, signInPage } from './sign-in-pages.js';

/** Signing a browser in with a one-time code, for a quarter of an hour, and out again. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class SignInController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly browsers: BrowserSessions,
    private readonly sessions: SessionsService,
    private readonly attempts: AttemptLimiter,
  ) {}

  @Get('invite')
  invite(@Res() response: Response): void {
    sendPage(response, invitePage(this.settings.publicUrl, this.settings.oidc?.label ?? null));
  }

  @Post('sign-in')
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    const code = formOf(request).get('code');
    try {
      await this.attempts.guard('login', { address: addressOf(request), account: code }, () =>
        this.browsers.signIn(request, response, code),
      );
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'unauthenticated') throw error;
      sendPage(response, signInPage(this.settings.oidc?.label ?? null, error.message), 401);
      return;
    }
    response.redirect(303, '/device');
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    this.browsers.requireOwnForm(request, formOf(request).get('csrf'));
    const browser = await this.browsers.find(request);
    if (browser !== null) await this.sessions.logout(browser.caller, false);
    this.browsers.forget(response);
    response.redirect(303, '/device');
  }

  @All(['sign-in', 'sign-out'])
  otherwise(@Res() response: Response): void {
    postOnly(response);
  }
}
