import { Query, Resolver } from '@nestjs/graphql';
import { ForMachines } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { DoctorFinding } from './doctor.types.js';
import { TenantDoctorService } from './tenant-doctor.service.js';

@Resolver(() => DoctorFinding)
export class DoctorResolver {
  constructor(private readonly doctor: TenantDoctorService) {}

  @ForMachines('admin')
  @Query(() => [DoctorFinding], { description: 'What is wrong with your tenant, and what to do (owner, admin).' })
  tenantDoctor(@CurrentCaller() caller: Caller): Promise<DoctorFinding[]> {
    return this.doctor.look(caller);
  }
}
