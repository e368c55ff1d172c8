import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UserModule } from '../users/user.module.js';
import { LoginSessionResolver } from './login-session.resolver.js';
import { LoginSessionsService } from './login-sessions.service.js';

@Module({ imports: [AuthModule, UserModule], providers: [LoginSessionsService, LoginSessionResolver] })
export class LoginSessionModule {}
