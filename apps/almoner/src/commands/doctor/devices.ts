import * as E from 'fp-ts/lib/Either.js'
import { type Check, ok, warning } from './finding.ts'
import { onCurrent } from './opened.ts'

/** Whether devices are attached to which nothing can be sent (F5). */
export const devicesCheck: Check = {
  name: 'devices',
  look: onCurrent(async ({ store }) => {
    const counted = await store.devices.countUnroutable()()
    if (E.isLeft(counted)) return []
    if (counted.right === 0) return [ok('every device can be sent to by its kind')]
    return [
      warning(
        `devices whose token is of no known kind: ${counted.right}. Nothing can be sent to them`,
        'let the app send its tokens with a prefix such as fcm: or apns:, or set ALMONER_PUSH_DEFAULT; they are known once they are attached again',
      ),
    ]
  }),
}
