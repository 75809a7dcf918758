import * as E from 'fp-ts/lib/Either.js'
import { type Branded, isStorable, NOT_STORABLE, refined } from '../values/refined.ts'

/** What a provider knows a device by, kept and returned exactly as it was sent (F4, F5). */
export type DeviceToken = Branded<string, 'DeviceToken'>

const MAX = 4096

/** Segments that a path cannot carry: every client and proxy takes them for a step within the path. */
const STEPS = ['.', '..']

const rule = (text: string): E.Either<string, DeviceToken> => {
  if (!isStorable(text)) return E.left(NOT_STORABLE)
  if (STEPS.includes(text)) return E.left('must not be . or ..')
  return [...text].length > MAX ? E.left(`must have at most ${MAX} characters`) : E.right(text as DeviceToken)
}

/** `device_token`: 1 to 4096 code points, any that a path can carry (F4). */
export const DeviceToken = refined('DeviceToken', rule, {
  type: 'string',
  description:
    'Device token from the provider: FCM, APNs, or a Web Push subscription as JSON. A prefix such as `apns-sandbox:` can name its kind.',
  minLength: 1,
  maxLength: MAX,
})
