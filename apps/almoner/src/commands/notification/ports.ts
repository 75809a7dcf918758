import type { Policy, Ports } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandPorts, onDatabase, type Printout, type Work } from '../../cli/command.ts'
import type { Failure } from '../../cli/failure.ts'
import { serviceAddress, unknownAddress } from '../../composition/address.ts'
import { makeLogger } from '../../composition/logger.ts'
import { openPushGateway, type Pushes } from '../../composition/push/push-gateway.ts'
import type { Settings } from '../../config/definitions.ts'
import { policyOf } from '../../config/policy.ts'

/** What sending takes. */
export interface Sending {
  readonly settings: Settings
  readonly policy: Policy
  readonly ports: CommandPorts & Pick<Ports, 'mediaAddresses' | 'pushGateway'>
}

/** Works with the way out that the settings name, and closes it whatever happens. */
export const onPushes =
  (work: (pushes: Pushes) => Work): Work =>
  (settings) =>
    TE.bracket(
      openPushGateway(settings, makeLogger(settings.logLevel)),
      (pushes) => work(pushes)(settings),
      ({ close }) =>
        async () =>
          E.right(await close()),
    )

/** Works on the database with the gateway and the addresses that the settings give. */
export const onSending = (work: (sending: Sending) => TE.TaskEither<Failure, Printout>): Work =>
  onPushes(({ gateway }) => (settings) => {
    const unknown = unknownAddress(settings)
    if (unknown !== undefined) return TE.left(unknown)
    const { mediaAddresses } = serviceAddress(settings)
    const sending = { settings, policy: policyOf(settings) }
    return onDatabase((ports) =>
      work({ ...sending, ports: { ...ports, mediaAddresses, pushGateway: gateway } }),
    )(settings)
  })
