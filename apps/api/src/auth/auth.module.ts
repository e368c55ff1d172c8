import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { RequestAuthenticator } from './request-authenticator.js';
import { SessionCheck } from './session-check.js';
import { TokenIssuer } from './token-issuer.js';
import { TokenVerifier } from './token-verifier.js';

@Module({
  providers: [
    TokenVerifier,
    TokenIssuer,
    SessionCheck,
    RequestAuthenticator,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [RequestAuthenticator, SessionCheck, TokenIssuer],
})
export class AuthModule {}
