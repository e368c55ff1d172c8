import { Inject } from '@nestjs/common';
import { Args, Context, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { readsLikeInstruction } from '@tempera/client-kit';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { upTo } from '../graphql/limits/cost.js';
import { type Clock, CLOCK } from '../platform/platform.tokens.js';
import { ProjectLoaders } from '../projects/project-loaders.js';
import { Project } from '../projects/project.types.js';
import { User } from '../users/user.types.js';
import { MemoryFilter } from './capture.input.js';
import { MemoriesService } from './memories.service.js';
import {
  CONTRIBUTORS_SHOWN,
  MemoryLoaders,
  RELATED_SHOWN,
  REVISIONS_SHOWN,
  SESSION_MATES_SHOWN,
} from './memory-loaders.js';
import { toRelated, toRevisions } from './memory-parts.mapper.js';
import { Memory, MemoryPage, Related, Revision } from './memory.types.js';
import { AuthorLoader } from './author-loader.js';

@Resolver(() => Memory)
export class MemoryResolver {
  constructor(
    private readonly service: MemoriesService,
    private readonly loaders: MemoryLoaders,
    private readonly projects: ProjectLoaders,
    private readonly authors: AuthorLoader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @ForMachines('read')
  @Query(() => MemoryPage, { description: 'Memories the caller may see, newest first.' })
  memories(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('filter', { type: () => MemoryFilter, nullable: true }) filter?: MemoryFilter,
  ): Promise<MemoryPage> {
    return this.service.page(caller, { first, after }, filter ?? null);
  }

  @ForMachines('read')
  @Query(() => Memory, {
    description:
      'One memory by its id (a full UUID or its first eight hex characters), with history, links and explanation.',
  })
  memory(@CurrentCaller() caller: Caller, @Args('id', { type: () => ID }) id: string): Promise<Memory> {
    return this.service.one(caller, id);
  }

  @ResolveField(() => Project, { nullable: true })
  project(@Parent() { projectId }: Memory, @Context() context: GraphqlContext): Promise<Project | null> | null {
    return projectId === null ? null : context.loaders.of(this.projects.byId).load(projectId);
  }

  @ResolveField(() => User, { description: 'Who wrote what it says now. Whose it is, `owner` tells.' })
  author(@Parent() { writtenBy }: Memory, @Context() context: GraphqlContext): Promise<User> {
    return this.authors.load(context, writtenBy);
  }

  @ResolveField(() => Boolean, {
    description:
      'It reads as an order to the agent that reads it. It is never put before anybody unasked, and shared by a person alone.',
  })
  readsAsOrder(@Parent() { title, text }: Memory): boolean {
    return readsLikeInstruction(`${title}\n${text}`);
  }

  @ResolveField(() => User, { description: 'Who may share it, take it back or give it away.' })
  owner(@Parent() { ownerId }: Memory, @Context() context: GraphqlContext): Promise<User> {
    return this.authors.load(context, ownerId);
  }

  @ResolveField(() => [User], {
    complexity: upTo(CONTRIBUTORS_SHOWN),
    description: 'Who captured it, or what was merged into it; the first first.',
  })
  async contributors(@Parent() { id }: Memory, @Context() context: GraphqlContext): Promise<User[]> {
    const people = await context.loaders.of(this.loaders.contributors).load(id);
    return Promise.all(people.map((person) => this.authors.load(context, person)));
  }

  @ResolveField(() => [Revision], { complexity: upTo(REVISIONS_SHOWN) })
  async history(@Parent() memory: Memory, @Context() context: GraphqlContext): Promise<Revision[]> {
    return toRevisions(memory, await context.loaders.of(this.loaders.revisions).load(memory.id));
  }

  @ResolveField(() => [Related], { complexity: upTo(RELATED_SHOWN + SESSION_MATES_SHOWN) })
  async related(
    @Parent() { id }: Memory,
    @CurrentCaller() caller: Caller,
    @Context() context: GraphqlContext,
  ): Promise<Related[]> {
    return toRelated(await context.loaders.of(this.loaders.related).load(id), caller.userId, this.clock.now());
  }
}

@Resolver(() => Revision)
export class RevisionResolver {
  constructor(private readonly authors: AuthorLoader) {}

  @ResolveField(() => User)
  author(@Parent() { authorId }: Revision, @Context() context: GraphqlContext): Promise<User> {
    return this.authors.load(context, authorId);
  }
}
