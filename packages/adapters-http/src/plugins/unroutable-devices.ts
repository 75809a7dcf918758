import type { Device } from '@almoner/domain/people'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Extension } from '../extension.ts'

/** Logs and counts attached devices of unknown kind, to which nothing can be sent (F5). The token is a secret and is not logged. */
export const reportUnroutableDevices: Extension = (_app, services, server) => {
  const { devices } = services
  const report = ({ kind }: Device, client: string): void => {
    if (kind !== 'unroutable') return
    server?.metrics.unroutable()
    server?.logger.warn(
      { client },
      'a device token of unknown kind was attached: nothing can be sent to it (see ALMONER_PUSH_DEFAULT)',
    )
  }
  const attach: typeof devices.attach = (caller, command, receipt) =>
    TE.map((device: Device) => {
      report(device, caller.clientId)
      return device
    })(devices.attach(caller, command, receipt))
  return { ...services, devices: { ...devices, attach } }
}
