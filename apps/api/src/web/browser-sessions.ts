import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { derivedKey, derivedKeys, type Doors, hashSecret, type KeyRing, newSecret } from '@tempera/platform';
import type { Request, Response } from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import type { Settings } from '../config/settings.js';
import { addressOf } from '../limits/client-address.js';
import { DOORS, KEYS, SETTINGS } from '../platform/platform.tokens.js';
import { Cookies } from './cookies.js';

/** Long enough to approve a device or accept an invitation. */
export const BROWSER_LIFE_SECONDS = 15 * 60;
const COOKIE = 'browser';
const MAX_SECRET_LENGTH = 200;

/** A browser that is signed in: its person, and the proof that a form comes from a page made for it. */
export interface Browser {
  readonly caller: Caller;
  readonly csrf: string;
}

/** Short sessions of browsers, for the pages of this service: a cookie that no script reads, kept as a hash. */
@Injectable()
export class BrowserSessions {
  private readonly cookies: Cookies;

  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(KEYS) private readonly keys: KeyRing,
    @Inject(SETTINGS) { publicUrl }: Settings,
  ) {
    this.cookies = new Cookies(publicUrl);
  }

  /** Redeems a one-time code. @throws AppError `unauthenticated` */
  async signIn(request: Request, response: Response, code: string): Promise<void> {
    const secret = newSecret('browser');
    const opened =
      code.length > MAX_SECRET_LENGTH
        ? null
        : await this.doors.asSystem.redeemInBrowser({
            codeHash: hashSecret(code.trim()),
            client: clientOf(request),
            keyHash: hashSecret(secret),
            lifeSeconds: BROWSER_LIFE_SECONDS,
          });
    if (opened === null) {
      throw new AppError(
        'unauthenticated',
        'code-refused',
        'This code is unknown, used or too old; ask for a new one.',
      );
    }
    this.keep(response, secret);
  }

  /** Gives the browser the secret of a session that was opened for it. */
  keep(response: Response, secret: string): void {
    this.cookies.write(response, COOKIE, secret, { sameSite: 'strict', maxAgeMs: BROWSER_LIFE_SECONDS * 1000 });
  }

  /** Who is signed in; null for nobody, or no longer. */
  async find(request: Request): Promise<Browser | null> {
    const secret = this.cookies.read(request, COOKIE);
    if (secret === null || secret.length > MAX_SECRET_LENGTH) return null;
    const found = await this.doors.asSystem.findBrowser(hashSecret(secret));
    if (found === null) return null;
    const caller = {
      tenantId: asId<TenantId>(found.tenantId),
      userId: asId<UserId>(found.userId),
      sessionId: found.sessionId,
      scopes: null,
    };
    return { caller, csrf: csrfOf(derivedKey(this.keys.set, 'csrf'), secret) };
  }

  /** Whether a form was made for this browser: it holds a word that other sites cannot know. @throws AppError `forbidden` */
  requireOwnForm(request: Request, csrf: string): void {
    const secret = this.cookies.read(request, COOKIE) ?? '';
    const given = Buffer.from(csrf);
    const isOwn = derivedKeys(this.keys.set, 'csrf').some((key) => {
      const expected = Buffer.from(csrfOf(key, secret));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (!isOwn) throw new AppError('forbidden', 'stale-form', 'This form is too old; go back and open the page again.');
  }

  forget(response: Response): void {
    this.cookies.clear(response, COOKIE);
  }
}

/** How a browser is called in the list of sessions. */
export const clientOf = (request: Request): string => `browser at ${addressOf(request)}`;

const csrfOf = (key: Uint8Array, secret: string): string =>
  createHmac('sha256', key).update(secret).digest('base64url');
