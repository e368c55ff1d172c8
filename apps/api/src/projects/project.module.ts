import { Module } from '@nestjs/common';
import { UserModule } from '../users/user.module.js';
import { MemberResolver, ProjectMembershipResolver } from './member.resolver.js';
import { MembersService } from './members.service.js';
import { ProjectAdminResolver } from './project-admin.resolver.js';
import { ProjectAdminService } from './project-admin.service.js';
import { ProjectLoaders } from './project-loaders.js';
import { ProjectResolver } from './project.resolver.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [UserModule],
  providers: [
    ProjectsService,
    MembersService,
    ProjectLoaders,
    ProjectResolver,
    ProjectAdminService,
    ProjectAdminResolver,
    MemberResolver,
    ProjectMembershipResolver,
  ],
  exports: [ProjectLoaders],
})
export class ProjectModule {}
