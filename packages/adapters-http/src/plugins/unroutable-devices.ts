import type { Caller, Device } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'
import type { Services } from '../services.ts'

/** Called when a device was attached to which nothing can be sent. */
export type OnUnroutable = (caller: Caller) => void

/** Logs and counts devices of unknown kind (F5). The token is a secret, and is not logged. */
export const reportUnroutable =
  (metrics: Pick<Metrics, 'unroutable'>, logger: Logger): OnUnroutable =>
  ({ clientId }) => {
    metrics.unroutable()
    logger.warn(
      { client: clientId },
      'a device token of unknown kind was attached: nothing can be sent to it (see ALMONER_PUSH_DEFAULT)',
    )
  }

/** Adds to `attachDevice` that devices of unknown kind are reported. */
export const watchAttaching = (services: Services, onUnroutable: OnUnroutable): Services => ({
  ...services,
  attachDevice: (caller, command, receipt) =>
    pipe(
      services.attachDevice(caller, command, receipt),
      TE.map((device: Device) => {
        if (device.kind === 'unroutable') onUnroutable(caller)
        return device
      }),
    ),
})
