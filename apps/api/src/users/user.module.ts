import { Module } from '@nestjs/common';
import { InvitationsService } from './invitations.service.js';
import { UserResolver } from './user.resolver.js';
import { UsersService } from './users.service.js';

@Module({ providers: [UsersService, InvitationsService, UserResolver], exports: [UsersService] })
export class UserModule {}
