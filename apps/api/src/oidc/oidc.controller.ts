import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { hashSecret, type OidcPurpose } from '@tempera/platform';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.guard.js';
import type { Settings } from '../config/settings.js';
import { parseUuid } from '../graphql/ids.js';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { addressOf } from '../limits/client-address.js';
import { SETTINGS } from '../platform/platform.tokens.js';
import { signInPage } from '../sign-in/sign-in-pages.js';
import { BrowserSessions, clientOf } from '../web/browser-sessions.js';
import { Cookies } from '../web/cookies.js';
import { formOf } from '../web/form.js';
import { PageErrorFilter } from '../web/page-error.filter.js';
import { sendPage } from '../web/page.js';
import { postOnly } from '../web/post-only.js';
import { requireSameOrigin } from '../web/same-origin.js';
import { FLOW_LIFE_SECONDS, OidcFlowsService, type OidcOutcome } from './oidc-flows.service.js';
import { chooseTenantPage, onwardPage } from './oidc-pages.js';

const COOKIE = 'oidc';
const LEAVING = 'To the sign-in provider';

const searchOf = ({ originalUrl }: Request): string => {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at);
};

/** Signing in with another provider: there, and back. */
@Public()
@UseFilters(PageErrorFilter)
@Controller('auth/oidc')
export class OidcController {
  private readonly cookies: Cookies;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly browsers: BrowserSessions,
    private readonly flows: OidcFlowsService,
    private readonly attempts: AttemptLimiter,
  ) {
    this.cookies = new Cookies(settings.publicUrl);
  }

  @Get('start')
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.redirect(303, await this.leave(request, response, { purpose: 'sign-in' }));
  }

  /** With a one-time code, which the identity will be linked by. */
  @Post('start')
  async startWithCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    const codeHash = hashSecret(formOf(request).get('code').trim());
    // Not a redirect: the policy of our pages lets no form lead away.
    sendPage(response, onwardPage(LEAVING, await this.leave(request, response, { purpose: 'invitation', codeHash })));
  }

  /** Links the identity with whoever is signed in on this browser. */
  @Post('link')
  async link(@Req() request: Request, @Res() response: Response): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    const csrf = formOf(request).get('csrf');
    const browser = await this.browsers.find(request);
    if (browser === null) return sendPage(response, signInPage(this.offer(), 'You are no longer signed in.'), 401);
    this.browsers.requireOwnForm(request, csrf);
    const { tenantId, userId, sessionId } = browser.caller;
    const why = { purpose: 'link', tenantId, userId, sessionId } as const;
    sendPage(response, onwardPage(LEAVING, await this.leave(request, response, why)));
  }

  @Get('callback')
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    const secret = this.cookies.read(request, COOKIE);
    const outcome = await this.attempts.guard('oidc', { address: addressOf(request), account: secret ?? '' }, () =>
      this.flows.finish(secret, searchOf(request), clientOf(request)),
    );
    this.arrive(response, outcome);
  }

  @Post('tenant')
  async tenant(@Req() request: Request, @Res() response: Response): Promise<void> {
    requireSameOrigin(request, this.settings.publicUrl);
    const form = formOf(request);
    const secret = this.cookies.read(request, COOKIE);
    const tenantId = parseUuid(form.get('tenant'));
    this.arrive(response, await this.flows.choose(secret, form.get('proof'), tenantId, clientOf(request)));
  }

  @All(['link', 'tenant'])
  otherwise(@Res() response: Response): void {
    postOnly(response);
  }

  private offer(): string | null {
    return this.settings.oidc?.label ?? null;
  }

  private async leave(request: Request, response: Response, why: OidcPurpose): Promise<string> {
    const { location, secret } = await this.flows.start(why, addressOf(request));
    // Lax, because the provider's answer is a link from elsewhere.
    this.cookies.write(response, COOKIE, secret, { sameSite: 'lax', maxAgeMs: FLOW_LIFE_SECONDS * 1000 });
    response.set('cache-control', 'no-store');
    return location;
  }

  private arrive(response: Response, outcome: OidcOutcome): void {
    if (outcome.kind === 'choose') return sendPage(response, chooseTenantPage(outcome.tenants, outcome.proof));
    this.cookies.clear(response, COOKIE);
    if (outcome.kind === 'opened') this.browsers.keep(response, outcome.browserSecret);
    sendPage(response, onwardPage(outcome.kind === 'opened' ? 'Signed in' : 'Linked', '/device'));
  }
}
