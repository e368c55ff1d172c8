import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { isAppError } from '@tempera/client-kit';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.guard.js';
import type { Settings } from '../config/settings.js';
import { addressOf } from '../limits/client-address.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { signInPage } from '../sign-in/sign-in-pages.js';
import { MeService } from '../tenants/me.service.js';
import { type Browser, BrowserSessions } from '../web/browser-sessions.js';
import { formOf } from '../web/form.js';
import { PageErrorFilter } from '../web/page-error.filter.js';
import { type Page, sendPage } from '../web/page.js';
import { postOnly } from '../web/post-only.js';
import { requireSameOrigin } from '../web/same-origin.js';
import { DeviceCodesService } from './device-codes.service.js';
import { answeredPage, askCodePage, confirmPage } from './device-pages.js';

/** What a form of these pages brings: a browser that is signed in, and the code that was typed. */
interface Asked {
  readonly browser: Browser;
  readonly userCode: string;
  readonly address: string;
}

/** Where a person lets a device in: types its code, compares, decides. Whatever changes something is a POST. */
@Public()
@UseFilters(PageErrorFilter)
@Controller('device')
export class DevicePageController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly browsers: BrowserSessions,
    private readonly codes: DeviceCodesService,
    private readonly me: MeService,
  ) {}

  @Get()
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    const browser = await this.browsers.find(request);
    sendPage(response, browser === null ? signInPage(this.offer(), null) : await this.askCode(browser, null));
  }

  @Post('check')
  check(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, async ({ browser, userCode, address }) => {
      const device = await this.codes.find(browser.caller, address, userCode);
      return confirmPage(await this.me.of(browser.caller), browser.csrf, device);
    });
  }

  @Post('approve')
  approve(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.decide(request, response, true);
  }

  @Post('deny')
  deny(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.decide(request, response, false);
  }

  @All(['check', 'approve', 'deny'])
  otherwise(@Res() response: Response): void {
    postOnly(response);
  }

  private decide(request: Request, response: Response, approve: boolean): Promise<void> {
    return this.answer(request, response, async ({ browser, userCode, address }) => {
      const { client } = await this.codes.answer(browser.caller, address, userCode, approve);
      return answeredPage(client, approve);
    });
  }

  /** A form of ours from a browser that is signed in; a code that leads nowhere is asked for again. */
  private async answer(request: Request, response: Response, work: (asked: Asked) => Promise<Page>): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    const form = formOf(request);
    const browser = await this.browsers.find(request);
    if (browser === null) return sendPage(response, signInPage(this.offer(), 'You are no longer signed in.'), 401);
    this.browsers.requireOwnForm(request, form.get('csrf'));
    try {
      sendPage(response, await work({ browser, userCode: form.get('user_code'), address: addressOf(request) }));
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'not-found') throw error;
      sendPage(response, await this.askCode(browser, error.message), 404);
    }
  }

  private async askCode({ caller, csrf }: Browser, problem: string | null): Promise<Page> {
    const here = { publicUrl: this.settings.publicUrl, provider: this.offer() };
    return askCodePage(await this.me.of(caller), csrf, here, problem);
  }

  private offer(): string | null {
    return this.settings.oidc?.label ?? null;
  }
}
