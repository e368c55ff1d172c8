import { Module } from '@nestjs/common';
import { UserModule } from '../users/user.module.js';
import { InvitationResolver, SentInvitationResolver } from './invitation.resolver.js';
import { SentInvitationsService } from './sent-invitations.service.js';

@Module({
  imports: [UserModule],
  providers: [SentInvitationsService, SentInvitationResolver, InvitationResolver],
})
export class InvitationModule {}
