import * as E from 'fp-ts/lib/Either.js'
import type { Settings } from '../../config/definitions.ts'
import { allOf, type Checked, fault } from './checked.ts'
import { nameOf, required } from './required.ts'

/** How this service says who it is to push services. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
  readonly subject: string
}

const NAMES = (['vapidPublicKey', 'vapidPrivateKey', 'vapidSubject'] as const).map(nameOf)

/**
 * The keys of the settings, for Web Push, checked.
 * @param faultOf what is wrong with keys, in words without them
 */
export const readVapidKeys = (
  settings: Settings,
  faultOf: (keys: VapidKeys) => string | undefined,
): Checked<VapidKeys> => {
  const keys = allOf({
    publicKey: required(settings, 'vapidPublicKey', 'webpush'),
    privateKey: required(settings, 'vapidPrivateKey', 'webpush'),
    subject: required(settings, 'vapidSubject', 'webpush'),
  })
  const wrong = E.isRight(keys) ? faultOf(keys.right) : undefined
  return wrong === undefined ? keys : fault(`${NAMES.join(', ')}: ${wrong}`)
}
