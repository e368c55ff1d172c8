import { All, Controller, HttpCode, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.guard.js';
import type { Settings } from '../config/settings.js';
import { AttemptLimiter } from '../limits/attempt-limiter.js';
import { addressOf } from '../limits/client-address.js';
import { type Clock, CLOCK, SETTINGS } from '../platform/platform.tokens.js';
import { type Form, formOf } from '../web/form.js';
import { postOnly } from '../web/post-only.js';
import { DEVICE_LIFE_SECONDS, DeviceCodesService } from './device-codes.service.js';
import { DeviceLoginsService } from './device-logins.service.js';
import { OauthError } from './oauth-error.js';
import { OauthErrorFilter } from './oauth-error.filter.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Seconds between two polls, to begin with. */
const POLL_SECONDS = 5;
/** Public clients name themselves and prove nothing (RFC 8628, 5.6): the name is only shown. */
const CLIENT_ID = /^[\w.-]{1,64}$/;
const MAX_NAME_LENGTH = 200;

const secondsUntil = (end: Date, now: Date): number => Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));

const requireClient = (form: Form): string => {
  const client = form.get('client_id');
  if (CLIENT_ID.test(client)) return client;
  throw new OauthError('invalid_client', '`client_id` is a short name of the program, such as tempera-cli.');
};

/** The device's own name in one line; it is shown to the person who decides, and may not look like more than a name. */
const nameOf = (form: Form, client: string): string => {
  const name = form
    .get('device_name')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  if (name.length > MAX_NAME_LENGTH)
    throw new OauthError('invalid_request', `\`device_name\` has more than ${MAX_NAME_LENGTH} characters.`);
  return name === '' ? client : name;
};

/** The device login of RFC 8628: a device asks, shows a code, and polls until a person has answered. */
@Public()
@UseFilters(OauthErrorFilter)
@Controller('oauth')
export class OauthController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly codes: DeviceCodesService,
    private readonly logins: DeviceLoginsService,
    private readonly attempts: AttemptLimiter,
  ) {}

  @Post('device_authorization')
  @HttpCode(200)
  async authorise(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = formOf(request);
    const name = nameOf(form, requireClient(form));
    const { deviceCode, userCode } = await this.codes.create(name, addressOf(request));
    response.set('cache-control', 'no-store').json({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${this.settings.publicUrl}/device`,
      expires_in: DEVICE_LIFE_SECONDS,
      interval: POLL_SECONDS,
    });
  }

  @Post('token')
  @HttpCode(200)
  async token(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = formOf(request);
    if (form.get('grant_type') === '') throw new OauthError('invalid_request', '`grant_type` is missing.');
    if (form.get('grant_type') !== DEVICE_GRANT)
      throw new OauthError('unsupported_grant_type', `\`grant_type\` is ${DEVICE_GRANT}.`);
    requireClient(form);
    const deviceCode = form.get('device_code');
    if (deviceCode === '') throw new OauthError('invalid_request', '`device_code` is missing.');
    const session = await this.redeem(deviceCode, addressOf(request));
    const now = this.clock.now();
    response.set('cache-control', 'no-store').json({
      access_token: session.accessToken,
      token_type: 'Bearer',
      expires_in: secondsUntil(session.accessExpiresAt, now),
      refresh_token: session.refreshToken,
      refresh_token_expires_in: secondsUntil(session.refreshExpiresAt, now),
    });
  }

  @All(['device_authorization', 'token'])
  otherwise(@Res() response: Response): void {
    postOnly(response);
  }

  /** Codes that never were are guesses, and wait as other guesses do; polls of a living code do not. */
  private async redeem(deviceCode: string, address: string): ReturnType<DeviceLoginsService['redeem']> {
    const origin = { address, account: deviceCode };
    await this.attempts.check('exchange', origin);
    try {
      return await this.logins.redeem(deviceCode);
    } catch (error) {
      if (error instanceof OauthError && error.code === 'invalid_grant') await this.attempts.failed('exchange', origin);
      throw error;
    }
  }
}
