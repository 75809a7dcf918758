import type * as O from 'fp-ts/lib/Option.js'
import type { DefaultProvider, DeviceCodec } from '../people/destination.ts'
import type { PushHost } from '../people/push-hosts.ts'
import type { PortfolioPolicy, PortfolioPorts } from '../portfolio/ports.ts'
import type { DeadDevices } from './dead-devices.ts'
import type { Devices } from './devices.ts'
import type { Users } from './users.ts'

/** What people and the areas before it ask of the world. */
export interface PeoplePorts extends PortfolioPorts {
  readonly users: Users
  readonly devices: Devices
  readonly deadDevices: DeadDevices
}

/** What a deployment decides for people and the areas before it. */
export interface PeoplePolicy extends PortfolioPolicy {
  /** The provider of device tokens that tell none (F5). */
  readonly pushDefault: O.Option<DefaultProvider>
  /** Further kinds of devices that the host adds (F5). All processes on a database need the same. */
  readonly deviceCodecs?: ReadonlyArray<DeviceCodec>
  /** Where Web Push endpoints may be (F5). */
  readonly webPushHosts: ReadonlyArray<PushHost>
}
