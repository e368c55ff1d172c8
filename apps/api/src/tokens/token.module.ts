import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UserModule } from '../users/user.module.js';
import { TokenResolver } from './token.resolver.js';
import { TokensService } from './tokens.service.js';

@Module({ imports: [AuthModule, UserModule], providers: [TokensService, TokenResolver] })
export class TokenModule {}
