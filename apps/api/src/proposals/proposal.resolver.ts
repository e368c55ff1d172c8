import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { AuthorLoader } from '../memories/author-loader.js';
import { User } from '../users/user.types.js';
import { toProposal } from './proposal.mapper.js';
import { Proposal, ProposalFilter, ProposalPage } from './proposal.types.js';
import { ProposalsService } from './proposals.service.js';

const idArgument = { type: (): typeof ID => ID };

@Resolver(() => Proposal)
export class ProposalResolver {
  constructor(
    private readonly service: ProposalsService,
    private readonly authors: AuthorLoader,
  ) {}

  @ForMachines('read')
  @Query(() => ProposalPage, { description: "The caller's proposals and those that the caller decides, newest first." })
  async proposals(
    @CurrentCaller() caller: Caller,
    @Args('first', { type: () => Int }) first: number,
    @Args('after', { type: () => String, nullable: true }) after?: string,
    @Args('filter', { type: () => ProposalFilter, nullable: true }) filter?: ProposalFilter,
  ): Promise<ProposalPage> {
    const { nodes, pageInfo } = await this.service.page(caller, { first, after }, filter ?? null);
    return { nodes: nodes.map(toProposal), pageInfo };
  }

  @ForMachines('write')
  @Mutation(() => Proposal, {
    description: "Shares the proposed memory (the project's or group's maintainers; for the tenant its admins).",
  })
  async approveProposal(@CurrentCaller() caller: Caller, @Args('id', idArgument) id: string): Promise<Proposal> {
    return toProposal(await this.service.approve(caller, id));
  }

  @ForMachines('write')
  @Mutation(() => Proposal, { description: 'Leaves the proposed memory where it is, with a reason for its owner.' })
  async declineProposal(
    @CurrentCaller() caller: Caller,
    @Args('id', idArgument) id: string,
    @Args('reason', { type: () => String }) reason: string,
  ): Promise<Proposal> {
    return toProposal(await this.service.decline(caller, id, reason));
  }

  @ForMachines('write')
  @Mutation(() => Proposal, { description: 'Takes a proposal of the caller back.' })
  async withdrawProposal(@CurrentCaller() caller: Caller, @Args('id', idArgument) id: string): Promise<Proposal> {
    return toProposal(await this.service.withdraw(caller, id));
  }

  @ResolveField(() => User)
  proposer(@Parent() { proposerId }: Proposal, @Context() context: GraphqlContext): Promise<User> {
    return this.authors.load(context, proposerId);
  }

  @ResolveField(() => User, { nullable: true })
  decidedBy(@Parent() { deciderId }: Proposal, @Context() context: GraphqlContext): Promise<User> | null {
    return deciderId === null ? null : this.authors.load(context, deciderId);
  }
}
