import { Module } from '@nestjs/common';
import { SessionModule } from '../auth/session.module.js';
import { WebModule } from '../web/web.module.js';
import { SignInController } from './sign-in.controller.js';

@Module({ imports: [SessionModule, WebModule], controllers: [SignInController] })
export class SignInModule {}
