import { Module } from '@nestjs/common';
import { ProjectModule } from '../projects/project.module.js';
import { UserModule } from '../users/user.module.js';
import { AuthorLoader } from './author-loader.js';
import { CaptureEmbedder } from './capture-embedder.js';
import { CaptureResolver } from './capture.resolver.js';
import { CaptureService } from './capture.service.js';
import { ChangeResolver } from './change.resolver.js';
import { ChangeService } from './change.service.js';
import { EditService } from './edit.service.js';
import { EmbeddingJobs } from './embedding-jobs.js';
import { ReembedJobs } from './reembed-jobs.js';
import { EmbeddingLoop } from './embedding-loop.js';
import { MemoriesService } from './memories.service.js';
import { MemoryLoaders } from './memory-loaders.js';
import { MemoryResolver, RevisionResolver } from './memory.resolver.js';

@Module({
  imports: [UserModule, ProjectModule],
  providers: [
    MemoriesService,
    MemoryLoaders,
    AuthorLoader,
    MemoryResolver,
    RevisionResolver,
    CaptureEmbedder,
    CaptureService,
    CaptureResolver,
    EditService,
    ChangeService,
    ChangeResolver,
    EmbeddingJobs,
    ReembedJobs,
    EmbeddingLoop,
  ],
  exports: [AuthorLoader, CaptureEmbedder, CaptureService, EmbeddingLoop],
})
export class MemoryModule {}
