import { Module } from '@nestjs/common';
import { LoginIdentityResolver } from './login-identity.resolver.js';
import { LoginIdentitiesService } from './login-identities.service.js';

@Module({ providers: [LoginIdentitiesService, LoginIdentityResolver] })
export class LoginIdentityModule {}
