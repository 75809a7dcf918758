import { type Destination, DeviceToken, decode, mayPushTo, NotificationId, recognise } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Failure, misused } from '../../cli/failure.ts'
import { allOf, type Checked, fault } from '../../composition/push/checked.ts'
import type { Settings } from '../../config/definitions.ts'

/** A push to be tried. */
export interface Trial {
  readonly destination: Destination
  /** The notification to send; a sample when there is none. */
  readonly id: O.Option<NotificationId>
}

const UNROUTABLE =
  '--device is of no known kind: give it a prefix (fcm:, fid:, apns:, apns-sandbox:, webpush:), or set ALMONER_PUSH_DEFAULT'
const ELSEWHERE = '--device is a subscription at a host that ALMONER_WEBPUSH_HOSTS does not list'

/** Where a token leads (F5). The token is in no line. */
const destinationFor =
  ({ pushDefault, webPushHosts }: Settings) =>
  (token: DeviceToken): Checked<Destination> => {
    const destination = recognise(token, O.toUndefined(pushDefault))
    if (destination === undefined) return fault(UNROUTABLE)
    return destination.provider === 'webpush' && !mayPushTo(webPushHosts)(destination.subscription.endpoint)
      ? fault(ELSEWHERE)
      : E.right(destination)
  }

const tokenIn = (text: string): Checked<DeviceToken> =>
  text === ''
    ? fault('--device must not be empty')
    : pipe(
        decode(DeviceToken)(text),
        E.mapLeft(({ faults: [first] }) => [`--device ${first.message}`] as const),
      )

const idIn = (text: string | undefined): Checked<O.Option<NotificationId>> =>
  text === undefined
    ? E.right(O.none)
    : pipe(
        decode(NotificationId)(text),
        E.bimap(({ faults: [first] }) => [`ID ${first.message}`] as const, O.some),
      )

/** The trial that the arguments describe, or a line for each that is wrong. */
export const readTrial = (
  settings: Settings,
  device: string,
  id: string | undefined,
): E.Either<Failure, Trial> =>
  pipe(
    allOf<Trial>({
      destination: pipe(tokenIn(device), E.flatMap(destinationFor(settings))),
      id: idIn(id),
    }),
    E.mapLeft(([first, ...rest]) => misused(first, ...rest)),
  )
