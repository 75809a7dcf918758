import type { Device } from '@almoner/domain/notifications'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Extension } from '../extension.ts'

/** Logs and counts attached devices of unknown kind, to which nothing can be sent (F5). The token is a secret and is not logged. */
export const reportUnroutableDevices: Extension = (_app, services, server) => ({
  ...services,
  attachDevice: (caller, command, receipt) =>
    pipe(
      services.attachDevice(caller, command, receipt),
      TE.map((device: Device) => {
        if (device.kind === 'unroutable') {
          server?.metrics.unroutable()
          server?.logger.warn(
            { client: caller.clientId },
            'a device token of unknown kind was attached: nothing can be sent to it (see ALMONER_PUSH_DEFAULT)',
          )
        }
        return device
      }),
    ),
})
