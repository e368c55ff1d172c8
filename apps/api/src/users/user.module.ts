import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DeparturesService } from './departures.service.js';
import { InvitationsService } from './invitations.service.js';
import { UserAdminResolver } from './user-admin.resolver.js';
import { UserAdminService } from './user-admin.service.js';
import { UserResolver } from './user.resolver.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuthModule],
  providers: [UsersService, InvitationsService, UserResolver, UserAdminService, DeparturesService, UserAdminResolver],
  exports: [UsersService],
})
export class UserModule {}
