import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { PeopleOnly } from '../auth/access.guard.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { ClientAddress } from '../limits/client-address.js';
import { DeviceCodesService } from './device-codes.service.js';
import { DeviceLogin } from './device.types.js';

@Resolver(() => DeviceLogin)
export class DeviceResolver {
  constructor(private readonly codes: DeviceCodesService) {}

  @PeopleOnly()
  @Query(() => DeviceLogin, { description: 'The device that shows this code and waits to be let in.' })
  device(
    @CurrentCaller() caller: Caller,
    @ClientAddress() address: string,
    @Args('userCode', { type: () => String }) userCode: string,
  ): Promise<DeviceLogin> {
    return this.codes.find(caller, address, userCode);
  }

  @PeopleOnly()
  @Mutation(() => DeviceLogin, { description: 'Logs the device that shows this code in, as the caller.' })
  approveDevice(
    @CurrentCaller() caller: Caller,
    @ClientAddress() address: string,
    @Args('userCode', { type: () => String }) userCode: string,
  ): Promise<DeviceLogin> {
    return this.codes.answer(caller, address, userCode, true);
  }

  @PeopleOnly()
  @Mutation(() => DeviceLogin, { description: 'Sends the device that shows this code away.' })
  denyDevice(
    @CurrentCaller() caller: Caller,
    @ClientAddress() address: string,
    @Args('userCode', { type: () => String }) userCode: string,
  ): Promise<DeviceLogin> {
    return this.codes.answer(caller, address, userCode, false);
  }
}
