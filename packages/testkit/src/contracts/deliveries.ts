import { addedProvider } from './deliveries/added-provider.ts'
import { claiming } from './deliveries/claiming.ts'
import { deleting } from './deliveries/deleting.ts'
import { type DeliveriesUnderTest, givenDeliveries } from './deliveries/fixture.ts'
import { leasing } from './deliveries/leasing.ts'
import { queueing } from './deliveries/queueing.ts'
import { randomOperations } from './deliveries/random-operations.ts'
import { recording } from './deliveries/recording.ts'
import { takingUp } from './deliveries/taking-up.ts'
import type { ContractRunner } from './runner.ts'

export type { DeliveriesUnderTest } from './deliveries/fixture.ts'

/** Contract tests of `Deliveries`, together with users, devices and notifications of the same store. */
export const deliveriesContract = (
  runner: ContractRunner,
  make: () => Promise<DeliveriesUnderTest>,
): void => {
  const given = givenDeliveries(runner, make)
  for (const part of [
    takingUp,
    claiming,
    leasing,
    recording,
    queueing,
    deleting,
    addedProvider,
    randomOperations,
  ])
    part(given)
}
