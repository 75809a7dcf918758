import type { Device, DeviceToken } from '@almoner/domain/people'
import { collect, type Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { changed, type Faults, withoutTopics } from './faults.ts'

/** Faults of devices. */
export const DEVICE_FAULTS: Faults<'devices'> = {
  devices: {
    'makes users who read French': [
      'F1: the first attached device creates the user',
      ({ attach }, { users }) => ({
        attach: (device, ...more) =>
          pipe(
            users.find(device.email),
            TE.flatMap((found) =>
              O.isSome(found)
                ? TE.right(found.value)
                : withoutTopics(users.prefer(device.email, { lang: 'fr' })),
            ),
            TE.flatMap(() => attach(device, ...more)),
          ),
      }),
    ],
    'subscribes a user with each device': [
      'F1: attaching a device does not change an existing user',
      ({ attach }, { users }) => ({
        attach: (device, ...more) =>
          pipe(
            withoutTopics(users.prefer(device.email, { subscribed: true })),
            TE.flatMap(() => attach(device, ...more)),
          ),
      }),
    ],
    'lists the latest device first': [
      'a user may have several devices, listed in the order of attachment',
      ({ ofUser }) => ({ ofUser: (email) => changed(ofUser(email), (batch) => batch.toReversed()) }),
    ],
    'lists a renewed device last': [
      'F4: attaching a device again renews its kind and time and keeps its position',
      ({ attach, detach }) => ({
        attach:
          (device, ...more) =>
          async () => {
            await detach(device.email, device)()
            return attach(device, ...more)()
          },
      }),
    ],
    'leaves a moved device with its earlier user too': [
      'F4: a device token belongs to one user at a time',
      ({ attach, ofUser }) => {
        const first = new Map<DeviceToken, Device>()
        return {
          attach: (device, ...more) => {
            first.set(device.token, first.get(device.token) ?? device)
            return attach(device, ...more)
          },
          ofUser: (email) => ({
            next: O.none,
            batches: (async function* () {
              const own = await collect(ofUser(email))
              const isMoved = (device: Device) =>
                device.email === email && own.every(({ token }) => token !== device.token)
              yield [...own, ...[...first.values()].filter(isMoved)]
            })(),
          }),
        }
      },
    ],
    'counts devices of unknown kind of subscribed users only': [
      'F5: devices of unknown kind are counted, also those of unsubscribed users',
      ({ audience }) => ({
        countUnroutable: () =>
          pipe(
            audience({ lang: 'en', labelId: O.none }),
            TE.map(({ unroutable }) => unroutable),
          ),
      }),
    ],
    'compares tokens as they are spelt': [
      'F4: all texts that lead to one destination are one device',
      ({ detach, ofUser }) => ({
        detach: (email, device, act) => async () => {
          const own = await collect(ofUser(email))
          return own.some(({ token }) => token === device.token)
            ? detach(email, device, act)()
            : E.left({ _tag: 'DeviceNotFound' })
        },
      }),
    ],
    'detaches devices of other users': [
      'F4: detaching removes the device; a token that the user does not have',
      ({ attach, detach }) => {
        const held = new Map<DeviceToken, Email>()
        return {
          attach: (device, ...more) => {
            held.set(device.token, device.email)
            return attach(device, ...more)
          },
          detach: (email, device, act) => detach(held.get(device.token) ?? email, device, act),
        }
      },
    ],
    'lists a device where it was before it was detached': [
      'F4: a device that is detached and attached again is listed last',
      ({ attach, ofUser }) => {
        const places: Array<DeviceToken> = []
        const place = ({ token }: Device) => places.indexOf(token)
        return {
          attach: (device, ...more) => {
            if (!places.includes(device.token)) places.push(device.token)
            return attach(device, ...more)
          },
          ofUser: (email) =>
            changed(ofUser(email), (batch) => [...batch].sort((a, b) => place(a) - place(b))),
        }
      },
    ],
    'stores 255 characters of a token': [
      'F4, F5: tokens of up to 4,096 characters',
      ({ attach }) => ({
        attach: (device, ...more) =>
          attach({ ...device, token: device.token.slice(0, 255) as DeviceToken }, ...more),
      }),
    ],
    'normalizes tokens': [
      'F4, F5: tokens of up to 4,096 characters of any kind are stored exactly as sent',
      ({ attach }) => ({
        attach: (device, ...more) =>
          attach({ ...device, token: device.token.normalize() as DeviceToken }, ...more),
      }),
    ],
    'counts the audience of all languages': [
      'the audience counts the devices of subscribed readers of the language',
      ({ audience }) => ({ audience: () => audience({ lang: 'en', labelId: O.none }) }),
    ],
    'stores no receipt': [
      'I4: attaching a device stores its key and its response',
      ({ attach }) => ({ attach: (device, _, act) => attach(device, undefined, act) }),
    ],
    'records each renewal of a device': [
      'K1: users appear as numbers, without addresses and tokens',
      ({ attach, detach }) => ({
        attach: (device, receipt, act) => async () => {
          await detach(device.email, device)()
          return attach(device, receipt, act)()
        },
      }),
    ],
    'attaches devices of an erased person': [
      'A9, L1: attaching a device by a client that reaches the store after the erasure leaves nothing',
      ({ attach }) => ({ attach: (device, receipt) => attach(device, receipt) }),
    ],
  },
}
