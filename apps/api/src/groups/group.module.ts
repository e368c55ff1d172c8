import { Module } from '@nestjs/common';
import { ProjectModule } from '../projects/project.module.js';
import { GroupLoaders } from './group-loaders.js';
import { GroupResolver } from './group.resolver.js';
import { GroupsService } from './groups.service.js';

@Module({
  imports: [ProjectModule],
  providers: [GroupsService, GroupLoaders, GroupResolver],
  exports: [GroupLoaders],
})
export class GroupModule {}
