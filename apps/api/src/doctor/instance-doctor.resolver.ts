import { Query, Resolver } from '@nestjs/graphql';
import { OperatorOnly } from '../auth/access.guard.js';
import { CurrentOperator, type OperatorCaller } from '../auth/caller.js';
import { DoctorFinding } from './doctor.types.js';
import { InstanceDoctorService } from './instance-doctor.service.js';

@OperatorOnly()
@Resolver(() => DoctorFinding)
export class InstanceDoctorResolver {
  constructor(private readonly doctor: InstanceDoctorService) {}

  @Query(() => [DoctorFinding], { description: 'What is wrong with the instance, and what to do (operators only).' })
  instanceDoctor(@CurrentOperator() operator: OperatorCaller): Promise<DoctorFinding[]> {
    return this.doctor.look(operator);
  }
}
