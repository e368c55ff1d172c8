import { Module } from '@nestjs/common';
import { GroupModule } from '../groups/group.module.js';
import { MemoryModule } from '../memories/memory.module.js';
import { ProjectModule } from '../projects/project.module.js';
import { AudienceLoader } from './audience-loader.js';
import { AudienceChangeResolver, AudiencePartsResolver, MemoryAudienceResolver } from './audience-parts.resolver.js';
import { AudienceResolver } from './audience.resolver.js';
import { AudiencesService } from './audiences.service.js';

@Module({
  imports: [MemoryModule, ProjectModule, GroupModule],
  providers: [
    AudiencesService,
    AudienceLoader,
    AudienceResolver,
    MemoryAudienceResolver,
    AudienceChangeResolver,
    AudiencePartsResolver,
  ],
})
export class AudienceModule {}
