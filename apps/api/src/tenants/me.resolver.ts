import { Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { MeService } from './me.service.js';
import { Me } from './me.types.js';

@Resolver(() => Me)
export class MeResolver {
  constructor(private readonly service: MeService) {}

  @ForMachines('read')
  @Query(() => Me, {
    description: 'Who the token speaks for, with the tenant, the roles and the projects the person is in.',
  })
  me(@CurrentCaller() caller: Caller): Promise<Me> {
    return this.service.of(caller);
  }
}
