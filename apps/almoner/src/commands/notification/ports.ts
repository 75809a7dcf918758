import type { Policy, Ports } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { openPushGateway } from '../../compose.ts'
import type { Failure } from '../../failure.ts'
import { serviceAddress } from '../../serve/address.ts'
import { makeLogger } from '../../serve/logger.ts'
import type { Settings } from '../../settings/definitions.ts'
import { policyOf } from '../../settings/policy.ts'
import { type CommandPorts, onDatabase, type Printout, type Work } from '../command.ts'

/** What sending takes. */
export interface Sending {
  readonly settings: Settings
  readonly policy: Policy
  readonly ports: CommandPorts & Pick<Ports, 'mediaAddresses' | 'pushGateway'>
}

/** Works on the database with the gateway and the addresses that the settings give. */
export const onSending =
  (work: (sending: Sending) => TE.TaskEither<Failure, Printout>): Work =>
  (settings) =>
    onDatabase((ports) => {
      const { mediaAddresses } = serviceAddress(settings)
      const pushGateway = openPushGateway(makeLogger(settings.logLevel))
      return work({
        settings,
        policy: policyOf(settings),
        ports: { ...ports, mediaAddresses, pushGateway },
      })
    })(settings)
